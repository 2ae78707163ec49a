import { describe, expect, it } from "vitest";
import { LOCALES } from "./locales.ts";
import { messagesOf } from "./messages.ts";

/** A message's key, `list.ago.now`, and its text. */
function textsOf(messages: unknown, place = ""): [string, string][] {
  if (typeof messages === "string") return [[place, messages]];
  if (typeof messages !== "object" || messages === null) throw new Error(`${place} is no text`);
  return Object.entries(messages).flatMap(([key, inner]) => textsOf(inner, place === "" ? key : `${place}.${key}`));
}

/** A message's arguments, `{count}`, `{count, plural, …}` or `<link>`, but not the text of a plural, `one {both}`. */
const GAP = /(?<!(?:=\d+|zero|one|two|few|many|other)\s*)\{\s*(\w+)\s*[,}]|<(\w+)>/g;

function gapsOf(text: string): string[] {
  const gaps = [...text.matchAll(GAP)].map(([, value, tag]) => value ?? `<${tag}>`);
  return [...new Set(gaps)].sort();
}

const [first, ...others] = LOCALES.map((locale) => ({ locale, texts: new Map(textsOf(messagesOf(locale))) }));

describe("C: the console's messages", () => {
  it.each(others)("have the same keys in $locale", ({ texts }) => {
    expect([...texts.keys()].sort()).toEqual([...(first?.texts.keys() ?? [])].sort());
  });

  it.each(others)("have the same arguments in $locale", ({ texts }) => {
    const differing = [...texts].filter(
      ([place, text]) => gapsOf(text).join() !== gapsOf(first?.texts.get(place) ?? "").join(),
    );
    expect(differing).toEqual([]);
  });

  it.each(LOCALES)("are not empty in %s", (locale) => {
    expect(textsOf(messagesOf(locale)).filter(([, text]) => text.trim() === "")).toEqual([]);
  });
});
