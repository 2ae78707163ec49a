import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findInEvent } from "./find-in-event.ts";
import { excerptOf, type Part, patternOf, placesOf, wordsOf } from "./find-words.ts";

const marked = (parts: readonly Part[]) => parts.map((part) => (part.marked ? `[${part.text}]` : part.text)).join("");
const excerpt = (text: string, q: string) => marked(excerptOf(text, patternOf(wordsOf(q)) ?? /(?!)/gu));

describe("E14: words of a search in a session", () => {
  it("are split at spaces only, unique, and not syntax", () => {
    expect(wordsOf('  -20%  "NEAR( a.b a.b ')).toEqual(["-20%", '"NEAR(', "a.b"]);
    expect(wordsOf(" \n\0 ")).toEqual([]);
  });

  it.each([
    ["Деньги вернём завтра", "деньг", "[Деньг]и вернём завтра"],
    ["Price: -20% (of $5)", "-20% $5)", "Price: [-20%] (of [$5)]"],
    ["👍 done 👍🏽", "👍", "[👍] done [👍]🏽"],
    ["order, reorder", "ORDER", "[order], re[order]"],
    ["a\n\n  b", "b", "a [b]"],
  ])("are marked in %j", (text, q, expected) => expect(excerpt(text, q)).toBe(expected));

  it("are shown with context, however long the text is", () => {
    const long = `${"before ".repeat(200)}needle${" after".repeat(200)}`;
    expect(excerpt(long, "needle")).toMatch(/^…[befor ]+\[needle\][after ]+…$/);
  });

  it("an excerpt marks all matches in it and is well-formed, for any text and words", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (text, q) => {
        const pattern = patternOf(wordsOf(q));
        if (pattern === null) return;
        const parts = excerptOf(text, pattern);
        expect(parts.some((part) => part.marked)).toBe([...placesOf(text, pattern)].length > 0);
      }),
    );
  });
});

describe("E14: where in a step they are found", () => {
  const find = (type: string, payload: Parameters<typeof findInEvent>[0]["payload"], q: string) => {
    const found = findInEvent({ type, payload }, wordsOf(q));
    return found && [found.where, found.path, marked(found.excerpt)];
  };

  it.each([
    ["message.created", { role: "user", content: "Hello there" }, "hello", ["message", "content", "[Hello] there"]],
    ["state.written", { path: "deal", value: { title: "Roof" } }, "roof", ["state", "deal.title", "[Roof]"]],
    ["state.written", { path: "deal.amount", value: 90 }, "90", ["state", "deal.amount", "[90]"]],
    ["state.written", { path: "deal.amount", value: 90 }, "amount", ["state", "deal.amount", "deal.[amount]"]],
    ["call.failed", { error: { code: "no_such_deal" } }, "such", ["event", "error.code", "no_[such]_deal"]],
    ["call.failed", { error: { code: "x" } }, "error", ["event", "error", "[error]"]],
    ["log", [1, { a: ["deep"] }], "deep", ["event", "1.a.0", "[deep]"]],
  ])("%s %j", (type, payload, q, expected) => expect(find(type, payload, q)).toEqual(expected));

  it("matches all words, also in different values, and shows the value with most of them", () => {
    const payload = { tool: "crm.deal.get", output: { title: "Roof of the barn" } };
    expect(find("call.succeeded", payload, "barn roof deal")).toEqual([
      "event",
      "output.title",
      "[Roof] of the [barn]",
    ]);
    expect(find("call.succeeded", payload, "barn zebra")).toBeNull();
  });

  it("does not match JSON syntax", () => {
    expect(find("log", { a: "b" }, '":')).toBeNull();
  });
});
