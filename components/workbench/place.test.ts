import { describe, expect, it } from "vitest";
import { NOWHERE, parsePlace, printPlace } from "./place.ts";

const place = (query: string) => parsePlace(new URLSearchParams(query));

describe("H6: the inputs of a prompt are in the address", () => {
  it("survive a round trip through the address", () => {
    const all = {
      conversation: "a/b&c",
      at: 0,
      agent: "crm",
      locale: "ru",
      timezone: "Europe/Moscow",
      now: "2026-11-20T09:00:00.000Z",
      max_tokens: 400,
      max_chars: 1_600,
      max_messages: 20,
    } as const;
    expect(place(printPlace(all))).toEqual(all);
    expect(printPlace(NOWHERE)).toBe("");
    expect(place("")).toEqual(NOWHERE);
  });

  it("ignores invalid parameters, except those that only the server can validate", () => {
    expect(place("?at=5&locale=tlh&now=soon&max_tokens=-1&max_chars=1e3&max_messages=")).toEqual(NOWHERE);
    expect(place("?timezone=Mars/Olympus&max_tokens=1")).toEqual({
      ...NOWHERE,
      timezone: "Mars/Olympus",
      max_tokens: 1,
    });
  });

  it("accepts a time with any offset", () => {
    expect(place("?now=2026-11-20T12:00:00%2B03:00").now).toBe("2026-11-20T09:00:00.000Z");
  });
});
