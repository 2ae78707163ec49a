import fc from "fast-check";
import { expect, test } from "vitest";
import { anyContent } from "../testing/messages.ts";
import { charactersOf } from "../tokens.ts";
import { plainLines, printedSize } from "./further-lines.ts";
import { shorten } from "./shorten.ts";

const SENTENCES = Array.from({ length: 12 }, (_, index) => `Sentence number ${index + 1} is here.`);

test("H4: a text that fits is unchanged", () => {
  expect(shorten("Twelve chars", 12)).toBe("Twelve chars");
});

test("H4: head and tail are whole sentences", () => {
  const text = shorten(SENTENCES.join(" "), 120);
  const [head, tail, ...others] = text.split(" […] ");
  expect(others).toEqual([]);
  expect(SENTENCES.join(" ").startsWith(`${head} Sentence`)).toBe(true);
  expect(SENTENCES.join(" ").endsWith(`here. ${tail}`)).toBe(true);
});

test("H4: paragraphs end sentences, too, and their further lines count with indentation", () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`).join("\n");
  const text = shorten(lines, 60);
  expect(text).toMatch(/^line 1\n[^…]* \[…\] [^…]*\nline 20$/);
  expect(printedSize(text)).toBeLessThanOrEqual(60);
});

test("H4: a text of one long sentence is cut between words", () => {
  const text = shorten(Array.from({ length: 50 }, (_, index) => `word${index}`).join(" "), 80);
  expect(text).toMatch(/^word0 .*word\d+ \[…\] word\d+ .*word49$/);
  expect(printedSize(text)).toBeGreaterThan(60);
});

test("H4: words are separated by spaces, so that names and addresses stay whole", () => {
  const names = Array.from({ length: 30 }, (_, index) => `https://a.b/c-${index}?d=e,f`);
  for (let room = 150; room < 300; room++) {
    const kept = shorten(names.join(" "), room).split(" ");
    expect(kept.filter((each) => each !== "[…]" && !names.includes(each))).toEqual([]);
  }
});

test("H4: sentences of a language without spaces stay whole", () => {
  const whole = "我们昨天开会。合同已经签了。".repeat(10);
  for (let room = 50; room < 120; room++) {
    expect(shorten(whole, room)).toMatch(/^.*。\[…\](我们|合同).*$/);
  }
});

test("H4: a language without spaces is cut between its words", () => {
  const whole = "昨天我们在北京开会讨论合同".repeat(20);
  const words = [...new Intl.Segmenter("zh", { granularity: "word" }).segment(whole)];
  const boundaries = new Set(words.map(({ index }) => index));
  for (let room = 40; room < 120; room++) {
    const [head, tail] = shorten(whole, room).split("[…]");
    expect(boundaries).toContain(head?.length);
    expect(boundaries).toContain(whole.length - (tail?.length ?? 0));
  }
});

test("H4: texts without words are cut between characters, without spaces around the cut", () => {
  expect(shorten("0123456789abcdef".repeat(4), 23)).toMatch(/^0123456789a?\[…\][0-9a-f]{6,8}$/);
});

test.each([
  ["emoji families", "👩‍👩‍👧‍👦"],
  ["skin tones", "👍🏽"],
  ["flags", "🇩🇪"],
  ["combining marks", "e\u0302\u0303"],
  ["Hangul of parts", "\u1100\u1161\u11a8"],
  ["surrogate pairs", "𝒳"],
])("H7: %s are never split, wherever the cut falls", (_what, grapheme) => {
  const text = grapheme.repeat(60);
  for (let room = 3; room < 60; room++) {
    const short = shorten(text, room);
    const [head, tail] = short.split("[…]");
    expect(printedSize(short)).toBeGreaterThanOrEqual(room - 2 - charactersOf(grapheme));
    expect(head).toBe(grapheme.repeat((head?.length ?? 0) / grapheme.length));
    expect(tail).toBe(grapheme.repeat((tail?.length ?? 0) / grapheme.length));
  }
});

test("H7: of a grapheme longer than the limit only the mark is left", () => {
  expect(shorten(`a${"\u0301".repeat(1_000)}`, 100)).toBe("[…]");
  expect(shorten(`One word a${"\u0301".repeat(1_000)} and more`, 40)).toBe("One word […] and more");
});

test("H4: it never exceeds the limit, however small", () => {
  fc.assert(
    fc.property(anyContent, fc.integer({ min: 3, max: 300 }), (content, room) => {
      expect(printedSize(shorten(plainLines(content), room))).toBeLessThanOrEqual(room);
    }),
    { numRuns: 500 },
  );
});

test("H4: no further word would fit", () => {
  const word = fc.string({ unit: fc.constantFrom(..."abcdefgh"), minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(fc.array(word, { minLength: 60, maxLength: 90 }), fc.integer({ min: 100, max: 170 }), (words, room) => {
      const text = words.join(" ");
      fc.pre(text.length > room);
      const short = shorten(text, room);
      const tail = short.slice(short.indexOf("[…]") + "[…]".length);
      const missing =
        text
          .slice(0, text.length - tail.length)
          .split(" ")
          .at(-1) ?? "";
      expect(short.length + 1 + missing.length).toBeGreaterThan(room);
    }),
  );
});
