import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { pagePermission } from "../lib/server/front/page-access.ts";

const APP = fileURLToPath(new URL(".", import.meta.url));
const FILES = readdirSync(APP, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".tsx"));
/** Routes without a page, and those that read only the caller. */
const LAYOUT = "layout.tsx";

describe("Security: every page that reads data checks the page's permission", () => {
  test.each(FILES)("%s", (file) => {
    const source = readFileSync(`${APP}/${file}`, "utf8");
    expect(source).not.toMatch(/import (?!type )[^;]*lib\/server\//);
    const path = `/${file}`.replace(/\/\w[\w-]*\.tsx$/, "") || "/";
    const asked = [...source.matchAll(/\bservicesFor\(([^)]*)\)/g)].map(([, permission]) => permission);
    const expected = file === LAYOUT ? '"known"' : `"${pagePermission(path)}"`;
    expect(new Set(asked)).toEqual(new Set(asked.length === 0 ? [] : [expected]));
  });
});
