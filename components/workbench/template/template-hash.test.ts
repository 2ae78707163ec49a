import { describe, expect, it } from "vitest";
import { printHash, readHash } from "./template-hash.ts";

describe("H6: a template is shared in the link's hash", () => {
  it.each([
    ["words of any language", "Ты помощник {{userId|гость}}. 👩‍👩‍👧 & <b> #?/+="],
    ["every kind of line break", "a\r\nb\rc\u2028d"],
    ["nothing at all", ""],
    ["a byte order mark", "\ufeffa"],
  ])("with %s it survives a round trip", (_what, template) => {
    const hash = printHash(template);
    expect(hash).toMatch(/^#template=[\w-]*$/);
    expect(readHash(hash)).toEqual({ kind: "template", template });
  });

  it("a template too long for a link stays in the tab, and the link says so", () => {
    expect(readHash(printHash("a".repeat(6_000)))).toMatchObject({ kind: "template" });
    expect(readHash(printHash("a".repeat(6_001)))).toEqual({ kind: "in_tab" });
    expect(readHash(printHash("ж".repeat(3_001)))).toEqual({ kind: "in_tab" });
  });

  it("an invalid template is reported; any other hash is ignored", () => {
    expect(readHash("#template=0J")).toEqual({ kind: "unreadable" });
    expect(readHash("#template=не то")).toEqual({ kind: "unreadable" });
    expect(readHash("#main")).toEqual({ kind: "none" });
    expect(readHash("")).toEqual({ kind: "none" });
  });
});
