import { describe, expect, it } from "vitest";
import { cite, isRef } from "@/lib/session/json/cite.ts";
import { citedValue } from "./cited.ts";

describe("E8: a value over 16 kB is found by its reference", () => {
  it("returns the value of the event", () => {
    const value = { text: "x".repeat(20_000) };
    const citation = cite({ conversation_id: "a/b c", seq: 7 }, "/output", value);
    if (!isRef(citation)) throw new Error("The value was not cited");
    expect(citation.$ref.split("#")[0]).toBe("/api/conversations/a%2Fb%20c/events?after=6&limit=1");
    expect(citedValue({ items: [{ payload: { output: value } }] }, citation.$ref)).toEqual(value);
  });

  it("reads keys with slashes and tildes, and reports a missing value", () => {
    expect(citedValue({ items: [{ "a/b~c": 1 }] }, "/x#/items/0/a~1b~0c")).toBe(1);
    expect(citedValue({ items: [] }, "/x#/items/0/payload")).toBeUndefined();
  });
});
