import { describe, expect, it } from "vitest";
import type { ApiKey } from "@/lib/api/shapes.ts";
import { keyStatusOf, validFirst } from "./key-status.ts";

const NOW = Date.parse("2026-11-22T12:00:00Z");

const key = (name: string, more: Partial<ApiKey> = {}): ApiKey => ({
  ...{ id: name, name, shown: "obl_ab12", scopes: ["read"], created_by: "operator:anna" },
  ...{ created_at: "2026-11-01T00:00:00Z", expires_at: null, used_at: null, revoked_at: null },
  ...more,
});

describe("Security: which API keys are valid", () => {
  it("a key is valid until it is revoked or expires, to the millisecond", () => {
    expect(keyStatusOf(key("a"), NOW)).toBe("valid");
    expect(keyStatusOf(key("b", { expires_at: "2026-11-22T12:00:00.001Z" }), NOW)).toBe("valid");
    expect(keyStatusOf(key("c", { expires_at: "2026-11-22T12:00:00Z" }), NOW)).toBe("expired");
    const both = { expires_at: "2026-11-20T00:00:00Z", revoked_at: "2026-11-19T00:00:00Z" };
    expect(keyStatusOf(key("d", both), NOW)).toBe("revoked");
  });

  it("valid keys come first, each group in its order", () => {
    const over = { revoked_at: "2026-11-19T00:00:00Z" };
    const keys = [key("a", over), key("b"), key("c", { expires_at: "2026-11-20T00:00:00Z" }), key("d")];
    expect(validFirst(keys, NOW).map(({ name }) => name)).toEqual(["b", "d", "a", "c"]);
  });
});
