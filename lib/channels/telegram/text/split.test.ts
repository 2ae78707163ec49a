import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { type FormattedText, LONGEST_MESSAGE, splitText } from "./split.ts";

const plain = (text: string): FormattedText => ({ text, entities: [] });
const texts = (parts: FormattedText[]) => parts.map(({ text }) => text);
const long = (word: string, length: number) => word.repeat(Math.ceil(length / word.length)).slice(0, length);

/** Texts that are hard to split: long words, families, flags, marks, half of a pair. */
const hardText = fc
  .array(
    fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 30 }),
      fc.string({ unit: "binary", maxLength: 10 }),
      fc.constantFrom("\n\n", "\n", " ", ". ", "👨‍👩‍👧‍👦", "🇷🇺🇷🇺", "е\u0301", " \u0301", "\r\n", "\ud83d", "слово"),
    ),
    { maxLength: 80 },
  )
  .map((parts) => parts.join(""));

describe("D10: a text that is too long is split into messages", () => {
  test("D10: none is too long, none is blank, and joined they are the text", () => {
    fc.assert(
      fc.property(hardText, fc.integer({ min: 20, max: 200 }), (text, limit) => {
        const parts = texts(splitText(plain(text), limit));
        for (const part of parts) {
          expect(part.length).toBeLessThanOrEqual(limit);
          expect(part.trim()).not.toBe("");
        }
        expect(parts.join("").replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
      }),
      { numRuns: 500 },
    );
  });

  test("D10: no grapheme is split, unless it is longer than a message", () => {
    fc.assert(
      fc.property(hardText, fc.integer({ min: 20, max: 200 }), (text, limit) => {
        const segments = [...new Intl.Segmenter().segment(text)];
        fc.pre(segments.every(({ segment }) => segment.length <= limit));
        const ends = new Set(segments.map(({ index, segment }) => index + segment.length));
        let at = 0;
        for (const part of texts(splitText(plain(text), limit))) {
          at = text.indexOf(part, at) + part.length;
          expect(ends).toContain(at);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("D10: formatting is kept in each of the messages", () => {
    const marked = fc.tuple(hardText, fc.nat(), fc.nat()).map(([text, a, b]): FormattedText => {
      const offset = text === "" ? 0 : a % text.length;
      return { text, entities: [{ type: "bold", offset, length: text === "" ? 0 : b % (text.length - offset) }] };
    });
    fc.assert(
      fc.property(marked, fc.integer({ min: 20, max: 200 }), (given, limit) => {
        const shown = ({ text, entities }: FormattedText) =>
          entities.map(({ offset, length }) => text.slice(offset, offset + length)).join("");
        const visible = (text: string) => text.replaceAll(/\s/g, "");
        const parts = splitText(given, limit);
        expect(visible(parts.map(shown).join(""))).toBe(visible(shown(given)));
        for (const { text, entities } of parts)
          for (const { offset, length } of entities) {
            expect(length).toBeGreaterThan(0);
            expect(offset + length).toBeLessThanOrEqual(text.length);
          }
      }),
    );
  });

  it("D10: a text that fits is not split: 4,096 UTF-16 units", () => {
    const text = long("😀", LONGEST_MESSAGE);
    expect(texts(splitText(plain(text)))).toEqual([text]);
    expect(texts(splitText(plain(`${text}!`)))).toEqual([text, "!"]);
  });

  test.each([
    ["a paragraph", `${long("a b. ", 3000)}\n\n`, long("c d. ", 3000)],
    ["a line", `${long("a b. ", 3000)}\n`, long("c d. ", 3000)],
    ["a sentence", `${long("ab ", 3000)}end. `, `${long("cd ", 1000)}${long("x", 500)}`],
    ["a word", `${long("ab", 3000)} `, long("cd", 3000)],
  ])("D10: at the end of %s", (_, first, second) => {
    expect(texts(splitText(plain(first + second)))).toEqual([first, second]);
  });

  it("D10: a short first paragraph does not make a short message", () => {
    const text = `Short.\n\n${long("Sentence one. ", 6000)}`;
    expect(texts(splitText(plain(text)))[0]?.length).toBeGreaterThan(LONGEST_MESSAGE / 2);
  });

  it("D10: a grapheme longer than a message is split, but not within a surrogate pair", () => {
    const parts = texts(splitText(plain(`a${"\u{1F3FB}\u200d".repeat(40)}`), 20));
    for (const part of parts) expect(part.isWellFormed()).toBe(true);
  });
});
