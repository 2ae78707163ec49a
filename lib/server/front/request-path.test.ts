import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { readRequestPath } from "./request-path.ts";

const pathOf = (target: string) => {
  const read = readRequestPath(target);
  return "refused" in read ? null : read.path + read.query;
};

describe("Security: the path of a request", () => {
  test.each([
    ["/", "/"],
    ["/admin/users", "/admin/users"],
    ["/admin/", "/admin/"],
    ["/%61dmin/users", "/admin/users"],
    ["/conversations/telegram:42", "/conversations/telegram%3A42"],
    ["/conversations/telegram%3a42?at=3&q=a%0Ab/../c", "/conversations/telegram%3A42?at=3&q=a%0Ab/../c"],
    ["/conversations/a%2Fb%5Cc%23d%3Fe%20f/transcript", "/conversations/a%2Fb%5Cc%23d%3Fe%20f/transcript"],
    ["/conversations/%D0%B4%D0%B0", "/conversations/%D0%B4%D0%B0"],
    ["/conversations/a%252Fb", "/conversations/a%252Fb"],
    ["/conversations/...", "/conversations/..."],
    ["/conversations/a..b", "/conversations/a..b"],
    ["/api/memory/a%2Fb", "/api/memory/a%2Fb"],
    ["/_next/static/chunks/[turbopack]_x.js", "/_next/static/chunks/%5Bturbopack%5D_x.js"],
  ])("%s is %s", (target, path) => {
    expect(pathOf(target)).toBe(path);
  });

  test.each([
    ...["/api/../admin", "/api/..", "/api/./stream", "/api/%2e%2e/admin", "/api/.%2E/admin", "/api/%2e./admin"],
    ...["/api/%252e%252e/admin", "/api/%25252e./admin", "/api/..;/admin", "/api/..;x=1/admin", "/api/..%3B/admin"],
    ...["/api/conversations/a%2F..%2Fb", "/api/conversations/a%5C..%5Cb", "/api/conversations/..%252f..%252fadmin"],
    ...["\\admin", "/\\admin", "/api\\..\\admin", "/api/%5C../admin", "/admin%5Cusers"],
    ...["//admin", "/admin//users", "/admin//", "///", "/admin%2Fusers", "/api%2Fusers", "/api/sign-in%2Foidc"],
    ...["/_next/static%2Fx", "/_next/static/..%2f..%2fadmin", "/_next/static/a%2Fb.js"],
    ...["/api#/admin", "/admin?x#y", "/a b", "/a\tb", "/a\u0000b", "/\u0434", "/%00", "/a%0Ab", "/%7F", "/%C2%85"],
    ...["/%", "/%zz", "/%C0%AE%C0%AE/admin", "/%ED%A0%80", "", "*", "admin", "http://localhost/admin", "?x"],
  ])("%j is refused", (target) => {
    expect(readRequestPath(target)).toEqual({ refused: expect.stringMatching(/^The URL .*\.$/) });
  });

  it("refuses too many parameters, which would take long", () => {
    const query = (count: number) => `/?${Array.from({ length: count }, (_, n) => `p${n}`).join("&")}`;
    expect(pathOf(query(100))).toBe(query(100));
    for (const many of [query(101), `/api/health?${"&".repeat(7_000)}`])
      expect(readRequestPath(many)).toEqual({ refused: expect.stringContaining("more than 100 parameters") });
  });

  it("refuses dot segments at any level of encoding", () => {
    expect(readRequestPath(`/conversations/%${"25".repeat(50_000)}2e`)).toHaveProperty("refused");
    expect(pathOf("/conversations/%2525252525x")).toBe("/conversations/%2525252525x");
  });

  it("leads Next to the same path", () => {
    const part = fc.oneof(
      fc.string({ unit: "binary" }).map((text) => encodeURIComponent(text.toWellFormed())),
      fc.constantFrom(
        ".",
        "..",
        "%2e",
        "%2E.",
        "%252e%252e",
        "\\",
        "%5C",
        "",
        "admin",
        "api",
        ";",
        "#",
        "?",
        "%",
        "a\tb",
      ),
    );
    fc.assert(
      fc.property(fc.array(part), fc.constantFrom("/", "%2F", ""), (parts, slash) => {
        const read = readRequestPath(`/${parts.join(slash)}`);
        if ("refused" in read) return;
        // As Next resolves it.
        const url = new URL(`http://n${read.path}${read.query}`);
        expect([url.host, url.pathname, url.hash]).toEqual(["n", read.path, ""]);
        expect(readRequestPath(read.path + read.query)).toEqual(read);
      }),
    );
  });
});
