import { describe, expect, it } from "vitest";
import { isFresh, newestForeign } from "./fresh.ts";

const demo = { id: "demo-wrong-size", channel: "web", agent_id: "shop" };
const talk = { id: "welcome-1f", channel: "web", agent_id: "crm" };

describe("a fresh server", () => {
  it("has the demo, and what was said on the welcome page", () => {
    expect(isFresh({ items: [demo, talk], next: null })).toBe(true);
    expect(isFresh({ items: [], next: null })).toBe(true);
  });

  it("is not one with any other conversation, or with more than a page", () => {
    expect(isFresh({ items: [{ id: "mine" }, demo], next: null })).toBe(false);
    expect(isFresh({ items: [demo], next: "cursor" })).toBe(false);
  });
});

describe("the first conversation from outside", () => {
  const find = (...items: { id: string; channel: string | null; agent_id: string | null }[]) =>
    newestForeign([talk, ...items, demo], ["admin", "crm"])?.id;

  it.each([
    { channel: "otlp", agent_id: "support" },
    { channel: "web", agent_id: "support" },
    { channel: null, agent_id: null },
    { channel: "telegram", agent_id: "admin" },
  ])("is one on $channel of agent $agent_id", (fields) => {
    expect(find({ id: "hello", ...fields })).toBe("hello");
  });

  it("is not one that somebody began in the console with an agent of this server", () => {
    expect(find({ id: "1f", channel: "web", agent_id: "crm" })).toBeUndefined();
  });
});
