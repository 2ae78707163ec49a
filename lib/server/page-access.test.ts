import { describe, expect, test } from "vitest";
import { pagePermission } from "./page-access.ts";

describe("Security: what pages ask for", () => {
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

  test.each([
    ...["//admin/users", "/admin//users", "/%61dmin/users", "/ADMIN/users", "/admin%2Fusers", "\\admin\\users"],
    ...["/sign-in/../admin/users", "/_next/static/../../admin/users", "/_next/static/%2e%2e/%2e%2e/admin/users"],
    ...["/_next/static/..%2f..%2fadmin", "/_next/static/..\\..\\admin", "/x/./../admin"],
  ])("%s is no way around it", (path) => {
    expect(pagePermission(path)).toBe("admin");
  });
});
