import { describe, expect, it } from "vitest";
import { getOpenApi } from "../../api/operations/get-openapi.ts";
import { operations } from "../../api/operations.ts";
import { createApiHandlers } from "./api-handlers.ts";

const api = createApiHandlers();
const patterns = new Set([...operations, getOpenApi].map(({ path }) => path));

describe("the handlers of API paths", () => {
  it.each([...patterns])("has the one of %s, with its parameters decoded", (pattern) => {
    const names = [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
    const params = Object.fromEntries(names.map((name, index) => [name, `a/b c:${index} ё`]));
    const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
    expect(api.find(path)).toEqual({ handler: api.of(pattern), params });
  });

  it.each(["/api", "/api/nothing", "/api/runs/r1/nothing", "/api/conversations/c/events/e/x"])(
    "has the one that answers 404 for %s",
    (path) => {
      expect(api.find(path)).toEqual({ handler: api.of("/api/*"), params: {} });
    },
  );

  it.each(["/", "/conversations/c", "/v1/nothing", "/api/runs/", "/apis"])("leaves %s to Next", (path) => {
    expect(api.find(path)).toBeNull();
  });
});
