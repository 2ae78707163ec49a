import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shownText } from "./shown-text.ts";

const MARKER = "[SWITCH_TO_DEMO_RESULT]";
const MARKERS = [MARKER];

/** Texts in which markers, parts of them and braces are likely. */
const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom("{", '"', "calls", "[", "[SWITCH", "_TO_DEMO", MARKER, "]", " ", "\n", "Hello", "👋"),
      fc.nat({ max: MARKER.length }).map((length) => MARKER.slice(0, length)),
      fc.string({ maxLength: 5 }),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(""));

/** What is shown after each character of a text. */
const growing = (text: string) =>
  Array.from({ length: text.length + 1 }, (_, length) => shownText(text.slice(0, length), MARKERS));

describe("P19a, D5: what a user sees of an answer while it comes", () => {
  test("it only grows: nothing that was shown is taken back or changed", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let before = "";
        for (const shown of growing(text)) {
          expect(shown.startsWith(before)).toBe(true);
          before = shown;
        }
      }),
    );
  });

  test("D5: nothing of a marker is shown, nor what comes after one", () => {
    fc.assert(
      fc.property(anyText, anyText, (text, after) => {
        const [words = ""] = text.split(MARKER);
        for (const shown of growing(words + MARKER + after)) expect(words.trimStart().startsWith(shown)).toBe(true);
      }),
    );
  });

  test("P19a: nothing of a plan in JSON is shown", () => {
    const anyPlan = fc
      .record({ calls: fc.array(fc.dictionary(fc.string(), fc.string())) })
      .chain((plan) =>
        fc
          .nat({ max: 4 })
          .chain((indent) =>
            fc.constantFrom("", " ", "\n\t").map((space) => space + JSON.stringify(plan, null, indent)),
          ),
      );
    fc.assert(fc.property(anyPlan, (text) => growing(text).every((shown) => shown === "")));
  });

  test("all other words are shown, but for an end that may become a marker", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        fc.pre(!text.includes(MARKER) && !/^\s*\{/.test(text));
        const shown = shownText(text, MARKERS);
        const held = text.trimStart().slice(shown.length);
        expect(MARKER.startsWith(held)).toBe(true);
      }),
    );
    expect(shownText("{name}, hello", MARKERS)).toBe("{name}, hello");
    expect(shownText("See [1", MARKERS)).toBe("See [1");
  });
});
