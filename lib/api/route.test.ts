import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const APP = fileURLToPath(new URL("../../app", import.meta.url));
const routes = readdirSync(APP, { recursive: true, encoding: "utf8" }).filter((file) => /(^|\/)route\.\w+$/.test(file));

describe("E10, E11: every route file has the operations at its path, and nothing else", () => {
  it("finds the routes", () => {
    expect(routes.length).toBeGreaterThan(10);
  });

  it.each(routes)("%s", (file) => {
    const folder = `/${file.replace(/\/route\.ts$/, "")}`;
    const path = folder.replace(/\[\[.*$/, "*").replaceAll(/\[(\w+)\]/g, "{$1}");
    const source = readFileSync(join(APP, file), "utf8").replaceAll(/\s+/g, "").replace(",)", ")");
    const exported = "export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE }".replaceAll(" ", "");
    expect(source).toBe(`import{routeOf}from"@/lib/server/route-of.ts";${exported}=routeOf("${path}");`);
  });
});
