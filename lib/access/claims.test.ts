import { expect, test } from "vitest";
import { hasClaim, nameFrom, roleFrom } from "./claims.ts";

test("Security: a role is in the claim, alone, in a list, with a prefix or nested; the highest counts", () => {
  expect(roleFrom({ role: "operator" }, "role")).toBe("operator");
  expect(roleFrom({ groups: ["staff", "obelus:viewer", "obelus:admin"] }, "groups")).toBe("admin");
  expect(roleFrom({ realm_access: { roles: ["viewer"] } }, "realm_access.roles")).toBe("viewer");
  expect(roleFrom({ "https://example.org/roles": ["viewer"] }, "https://example.org/roles")).toBe("viewer");
});

test.each([
  [{}],
  [{ role: null }],
  [{ role: "administrator" }],
  [{ role: ["Admin", "obelus:root", "other:admin"] }],
  [{ role: { admin: true } }],
  [{ role: [["admin"]] }],
])("Security: %j names no role", (claims) => {
  expect(roleFrom(claims, "role")).toBeNull();
});

test("Security: inherited properties are no claims", () => {
  expect(hasClaim({}, "constructor.name")).toBe(false);
  expect(hasClaim({ roles: [] }, "roles")).toBe(true);
});

test("Security: users have their name at the provider, as far as it is valid", () => {
  expect(nameFrom({ sub: "248289761001", preferred_username: "anna" })).toBe("anna");
  expect(nameFrom({ sub: "248289761001", email: "anna@example.org" })).toBe("anna@example.org");
  expect(nameFrom({ sub: "auth0|<b>7</b>", preferred_username: "console", name: "Анна К." })).toBe("Анна К");
  expect(nameFrom({ sub: "***" })).toBe("user");
});
