import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const APP = fileURLToPath(new URL("../../app", import.meta.url));
const WRAPPED = /^export const \{ GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE \} = route\(\s*services,?[\w\s,]*\);$/m;

const routes = readdirSync(APP, { recursive: true, encoding: "utf8" }).filter((file) => /(^|\/)route\.\w+$/.test(file));

describe("E10, E11: every route goes through the one wrapper", () => {
  it("finds the routes", () => {
    expect(routes.length).toBeGreaterThan(10);
  });

  it.each(routes)("%s", (file) => {
    const source = readFileSync(join(APP, file), "utf8");
    expect(source).toMatch(WRAPPED);
    expect(source.match(/^export\b/gm)).toHaveLength(1);
  });
});
