import fc from "fast-check";
import { expect, test } from "vitest";
import { charactersAllowed } from "../limits.ts";
import { anyContent, anyMessages, anyOptions, message, NO_LIMITS, OPTIONS } from "../testing/messages.ts";
import { charactersOf, estimateTokens } from "../tokens.ts";
import { plainLines } from "./further-lines.ts";
import { fitHistory, printHistory, type ShownMessage } from "./history.ts";
import { HISTORY_WORDS } from "./history-words.ts";

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const OMISSION = "[…]";

function boundariesOf(text: string): Set<number> {
  return new Set([text.length, ...[...GRAPHEMES.segment(text)].map(({ index }) => index)]);
}

/** Whether a text is a head and a tail of another, cut between graphemes. */
function isShortened(short: string, whole: string): boolean {
  const boundaries = boundariesOf(whole);
  for (let at = short.indexOf(OMISSION); at >= 0; at = short.indexOf(OMISSION, at + 1)) {
    const [head, tail] = [short.slice(0, at), short.slice(at + OMISSION.length)];
    const heads = [head, head.replace(/ $/, "")];
    const tails = [tail, tail.replace(/^ /, "")];
    const isHead = heads.some((each) => whole.startsWith(each) && boundaries.has(each.length));
    const isTail = tails.some((each) => whole.endsWith(each) && boundaries.has(whole.length - each.length));
    if (isHead && isTail) return true;
  }
  return false;
}

test("H4: a history never exceeds its limits, and the report has its exact size", () => {
  fc.assert(
    fc.property(anyMessages, anyOptions, (messages, options) => {
      const fitted = fitHistory(messages, options);
      const { text } = printHistory(fitted);
      const { report } = fitted;
      if (report.shown === 0) {
        expect(text).toBe(HISTORY_WORDS[options.locale].empty);
        return;
      }
      expect(charactersOf(text)).toBeLessThanOrEqual(charactersAllowed(options.limits));
      expect(estimateTokens(text)).toBeLessThanOrEqual(options.limits.max_tokens ?? Number.POSITIVE_INFINITY);
      expect(report.shown).toBeLessThanOrEqual(options.limits.max_messages ?? Number.POSITIVE_INFINITY);
      expect(report.after).toEqual({
        messages: fitted.messages.length,
        characters: charactersOf(text),
        tokens: estimateTokens(text),
      });
      const whole = printHistory(fitHistory(messages, { ...options, limits: NO_LIMITS })).text;
      expect(report.before.characters).toBe(charactersOf(whole));
      expect(report.truncated).toBe(text !== whole);
    }),
    { numRuns: 500 },
  );
});

test("H4: the newest message stays, whole or shortened, and the order is kept", () => {
  fc.assert(
    fc.property(anyMessages, anyOptions, (messages, options) => {
      const visible = messages.filter(({ role, relevant }) => role !== "system" || relevant);
      const fitted = fitHistory(messages, options);
      expect(fitted.messages.at(-1)?.message).toBe(visible.at(-1));
      const indexes = fitted.messages.map(({ index }) => index);
      expect(indexes).toEqual([...indexes].sort((a, b) => a - b));
      for (const { index, message: shown } of fitted.messages) expect(messages[index]).toBe(shown);
      expect(fitted.left_out).toEqual(visible.filter((each) => !fitted.messages.some((one) => one.message === each)));
    }),
  );
});

test("H4: unimportant messages are only shown if all important ones are, and each kind loses its oldest first", () => {
  fc.assert(
    fc.property(anyMessages, anyOptions, (messages, { limits, ...options }) => {
      // Only marked ones are important.
      const plain = messages.map((each) => ({
        ...each,
        role: "operator" as const,
        content: each.content.replace(/[?？؟]/g, ""),
      }));
      const { left_out, messages: shown } = fitHistory(plain, { ...options, limits, state_calls: [] });
      const newest = plain.at(-1);
      const kept = shown.map((each) => each.message).filter((each) => each !== newest);
      if (left_out.some(({ important }) => important)) expect(kept.every(({ important }) => important)).toBe(true);
      for (const kind of [true, false]) {
        const all = plain.filter((each) => each !== newest && each.important === kind);
        const some = kept.filter(({ important }) => important === kind);
        expect(some).toEqual(all.slice(all.length - some.length));
      }
    }),
  );
});

test("H4, H7: shortened texts are head and tail, and no grapheme is split", () => {
  fc.assert(
    fc.property(anyMessages, anyOptions, (messages, options) => {
      for (const { shortened, content, message: original } of fitHistory(messages, options).messages) {
        if (!shortened) expect(content).toBe(original.content);
        else expect(isShortened(content, plainLines(original.content))).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

test("H3: each line is a heading, a continuation, or a date; no content can look like one", () => {
  fc.assert(
    fc.property(anyMessages, anyOptions, (messages, options) => {
      const fitted = fitHistory(messages, options);
      if (fitted.messages.length === 0) return;
      const lines = printHistory(fitted).text.split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/);
      const own = lines.filter((line) => !line.startsWith("  "));
      expect(own.map(kindOf)).toEqual([
        ...(fitted.left_out.length > 0 ? ["note"] : []),
        ...fitted.messages.flatMap(({ date, joined }) => [...(date ? ["date"] : []), ...(joined ? [] : ["message"])]),
      ]);
    }),
  );

  function kindOf(line: string): string {
    if (/^\[(\d\d:\d\d|--:--)\] \p{L}+( \(.{1,64}\))?:/u.test(line)) return "message";
    return line.startsWith("— ")
      ? "date"
      : /^\((Messages left out|Опущено сообщений): \d+\)$/.test(line)
        ? "note"
        : line;
  }
});

test("H3: each message is at its reported position, with only dates and breaks between", () => {
  fc.assert(
    fc.property(anyMessages, anyOptions, (messages, options) => {
      const fitted = fitHistory(messages, options);
      const { text, messages: places } = printHistory(fitted);
      expect(places.map(({ id }) => id)).toEqual(fitted.messages.map((each) => each.message.id));
      let end = fitted.left_out.length > 0 ? text.indexOf("\n") : -1;
      for (const [place, shown] of fitted.messages.entries()) {
        const at = places[place];
        expect(text.slice(end + 1, at?.start)).toBe(shown.date === null ? "" : `— ${shown.date} —\n`);
        expect(text.slice(at?.start, at?.end)).toBe(printed(shown));
        end = at?.end ?? -1;
      }
      if (places.length > 0) expect(end).toBe(text.length);
    }),
  );

  function printed({ joined, time, speaker, content }: ShownMessage): string {
    const text = plainLines(content).split("\n").join("\n  ");
    return joined ? `  ${text}` : `[${time}] ${speaker}:${text === "" ? "" : ` ${text}`}`;
  }
});

test("H1, H3: content is not interpreted: placeholders, $& and direction marks stay", () => {
  fc.assert(
    fc.property(anyContent, (content) => {
      const { text } = printHistory(fitHistory([message("user", content)], OPTIONS));
      const said = content
        .split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/)
        .join("\n")
        .replace(/^\n+|\n+$/g, "");
      expect(text).toBe(said === "" ? "[10:00] User:" : `[10:00] User: ${said.split("\n").join("\n  ")}`);
    }),
  );
});
