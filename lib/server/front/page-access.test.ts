import { describe, expect, test } from "vitest";
import { pagePermission } from "./page-access.ts";

describe("Security: permissions of pages", () => {
  test.each([
    ["/sign-in", "public"],
    ["/icon.svg", "public"],
    ["/_next/static/chunks/a.js", "public"],
    ["/", "read"],
    ["/conversations/c-1", "read"],
    ["/nowhere", "read"],
    ["/sign-in-not", "read"],
    ["/sign-in/more", "read"],
    ["/admin", "admin"],
    ["/admin/users", "admin"],
    ["/administration", "read"],
  ])("%s: %s", (path, permission) => {
    expect(pagePermission(path)).toBe(permission);
  });
});
