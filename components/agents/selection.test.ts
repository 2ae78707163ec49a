import { describe, expect, it } from "vitest";
import { parseSelection, withSelection } from "./selection.ts";

const read = (query: string) => parseSelection(new URLSearchParams(query));
const write = (query: string, change: Parameters<typeof withSelection>[1]) =>
  withSelection(new URLSearchParams(query), change);

describe("C8: the selection is in the address", () => {
  it("reads agent, key, version, view and filter", () => {
    expect(read("agent=memory:anna&key=memory&version=3&tab=json&against=current&q=an")).toEqual({
      agent: "memory:anna",
      key: "memory",
      version: 3,
      tab: "json",
      against: "current",
      q: "an",
    });
  });

  it("ignores invalid parameters", () => {
    const nothing = { agent: null, key: null, version: null, tab: null, against: "before", q: "" };
    expect(read("key=memory&version=3&tab=hex&against=tomorrow")).toEqual(nothing);
    expect(read("agent=a&key=k&version=0").version).toBeNull();
    expect(read("agent=a&key=k&version=1e3").version).toBeNull();
  });

  it("resets version and view for another key, and keeps the filter", () => {
    const query = "agent=a&key=k&version=3&tab=json&against=current&q=x";
    expect(write(query, { agent: "a", key: "other" })).toBe("?agent=a&q=x&key=other");
    expect(write(query, { agent: null })).toBe("?q=x");
  });

  it("keeps the key when the version or the view changes", () => {
    expect(write("agent=a&key=k", { version: 3 })).toBe("?agent=a&key=k&version=3");
    expect(write("agent=a&key=k&version=3&against=current", { version: null, against: "before" })).toBe(
      "?agent=a&key=k",
    );
  });
});
