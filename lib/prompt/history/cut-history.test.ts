import { describe, expect, test } from "vitest";
import { LimitTooSmall } from "../limits.ts";
import type { HistoryLimits, HistoryMessage } from "../prompt.ts";
import { message, NO_LIMITS, OPTIONS, ROLES, SMALLEST } from "../testing/messages.ts";
import { charactersOf } from "../tokens.ts";
import { fitHistory, type HistoryOptions, printHistory } from "./history.ts";

function cut(
  messages: readonly HistoryMessage[],
  limits: Partial<HistoryLimits>,
  options: Partial<HistoryOptions> = {},
) {
  const fitted = fitHistory(messages, { ...OPTIONS, ...options, limits: { ...NO_LIMITS, ...limits } });
  return { ...fitted, text: printHistory(fitted).text };
}

/** The ids of shown messages. */
function shownOf({ messages }: { messages: { message: HistoryMessage }[] }): (string | null)[] {
  return messages.map(({ message }) => message.id);
}

/** Answers, so that none of them is important. */
function chatter(count: number, content = "Some words of an answer."): HistoryMessage[] {
  return Array.from({ length: count }, (_, index) =>
    message("assistant", content, { id: `a${index}`, name: `${index}` }),
  );
}

describe("limits", () => {
  test.each([
    ["max_tokens", 31, 32],
    ["max_chars", 127, 128],
    ["max_messages", 0, 1],
  ] as const)("H4: a %s of %d is refused, one of %d is not", (limit, small, enough) => {
    expect(() => cut([], { [limit]: small })).toThrow(LimitTooSmall);
    expect(() => cut([], { [limit]: small })).toThrow(`The history needs a ${limit} of at least ${enough}`);
    expect(cut([], { [limit]: enough }).messages).toEqual([]);
    expect(() => cut([], { [limit]: Number.NaN })).toThrow(LimitTooSmall);
  });

  test("H4: the code of a limit that is too small is limit_too_small", () => {
    expect(new LimitTooSmall("max_tokens")).toMatchObject({ code: "limit_too_small", limit: "max_tokens" });
  });

  test("H4: the smallest limit counts", () => {
    const messages = chatter(50);
    expect(charactersOf(cut(messages, { max_tokens: 100, max_chars: 200 }).text)).toBeLessThanOrEqual(200);
    expect(charactersOf(cut(messages, { max_tokens: 100, max_chars: 2_000 }).text)).toBeLessThanOrEqual(400);
    expect(cut(messages, { max_tokens: 100, max_messages: 2 }).report.shown).toBe(2);
  });

  test("H4: a history of exactly the limit is whole", () => {
    const messages = chatter(10);
    const size = charactersOf(cut(messages, {}).text);
    expect(cut(messages, { max_chars: size }).report.truncated).toBe(false);
    expect(cut(messages, { max_chars: size - 1 }).report.truncated).toBe(true);
  });

  test("H4: system messages that are not shown do not count", () => {
    const messages = chatter(5);
    const size = charactersOf(cut(messages, {}).text);
    const system = Array.from({ length: 50 }, () => message("system", "x".repeat(500)));
    const { report } = cut([...system, ...messages], { max_chars: size, max_messages: 5 });
    expect(report).toMatchObject({ total: 55, shown: 5, truncated: false, before: { messages: 5 } });
  });
});

describe("long messages", () => {
  const long = (id: string) => message("assistant", "It was a long story. ".repeat(30), { id, name: id });

  test("H4: they are shortened before any is left out, the oldest first and no more than needed", () => {
    const messages = [long("a"), long("b"), long("c"), message("user", "Go on", { id: "d" })];
    const size = charactersOf(cut(messages, {}).text);
    const { report, text } = cut(messages, { max_chars: size - 100 });
    expect(report).toMatchObject({ shown: 4, left_out: [], shortened: ["a"], truncated: true });
    expect(report.after.characters).toBeGreaterThan(size - 150);
    expect(text.split("\n")[0]).toMatch(
      /^\[10:00\] Assistant: It was a long story\. .* story\. \[…\] It was .*story\.\s*$/,
    );
    expect(cut(messages, { max_chars: 1_200 }).report).toMatchObject({ left_out: [], shortened: ["a", "b"] });
  });

  test("H4: the newest is only shortened if it alone exceeds the limit", () => {
    const messages = [long("a"), long("b")];
    const whole = cut(messages, { max_chars: 700 });
    expect(whole.messages.at(-1)?.shortened).toBe(false);
    const alone = cut(messages, { max_chars: 400 });
    expect(alone.report).toMatchObject({ left_out: ["a"], shortened: ["b"] });
    expect(alone.report.after.characters).toBeGreaterThan(360);
  });

  test("H4: short messages are never shortened", () => {
    const { messages, report } = cut(chatter(50, "x".repeat(60)), { max_chars: 300 });
    expect(messages.every(({ shortened }) => !shortened)).toBe(true);
    expect(report.left_out.length).toBe(50 - report.shown);
  });
});

describe("whole messages", () => {
  test("H4: the oldest are removed first, and the first line has their number, in the agent's language", () => {
    const messages = chatter(20);
    const { text, report } = cut(messages, { max_chars: 200 });
    const [note, ...rest] = text.split("\n");
    expect(note).toBe(`(Messages left out: ${20 - rest.length})`);
    expect(rest.length).toBe(4);
    expect(report.left_out).toEqual(messages.slice(0, 16).map(({ id }) => id));
    expect(cut(messages, { max_chars: 200 }, { locale: "ru" }).text).toMatch(/^\(Опущено сообщений: 16\)\n/);
  });

  test("H4: messages over max_messages are removed in the same order, without shortening", () => {
    const messages = [...chatter(10, "word ".repeat(50)), message("user", "Bye", { id: "last" })];
    const { report } = cut(messages, { max_messages: 3 });
    expect(report).toMatchObject({ shown: 3, shortened: [], truncated: true });
    expect(report.left_out).toEqual(messages.slice(0, 8).map(({ id }) => id));
  });

  test.each<[string, HistoryMessage, string[]]>([
    ["a marked one", message("assistant", "keep", { important: true, id: "kept" }), []],
    ["the user's first", message("user", "keep", { id: "kept" }), []],
    ["a result that the state has", message("tool", "keep", { call_id: "c7", id: "kept" }), ["c7"]],
  ])("H4: %s stays when newer ones go", (_what, kept, state_calls) => {
    const messages = [...chatter(3), kept, ...chatter(20)];
    const fitted = cut(messages, { max_chars: 200 }, { state_calls });
    expect(shownOf(fitted)[0]).toBe("kept");
    expect(fitted.report.shown).toBeGreaterThan(2);
  });

  test("H4: results of other calls, and later user messages, are removed", () => {
    const messages = [message("user", "first"), message("tool", "r", { call_id: "c8" }), message("user", "second")];
    const fitted = cut([...messages, ...chatter(20)], { max_chars: 200 }, { state_calls: ["c7"] });
    expect(shownOf(fitted)).toContain("first");
    expect(fitted.report.left_out).toEqual(expect.arrayContaining(["r", "second"]));
  });

  test("H4: unanswered questions stay; answered ones, and addresses, are removed", () => {
    const results = Array.from({ length: 20 }, (_, index) =>
      message("tool", "A result.", { id: `r${index}`, name: `${index}` }),
    );
    const dialog = (question: string) => [
      message("user", "Hello", { id: "first" }),
      message("user", "Is it old?", { id: "answered" }),
      message("assistant", "Yes."),
      message("user", question, { id: "question" }),
      ...results,
    ];
    const asked = cut(dialog("Is it new? Tell me."), { max_chars: 200 });
    expect(shownOf(asked).slice(0, 2)).toEqual(["first", "question"]);
    expect(asked.report.left_out).toContain("answered");
    expect(cut(dialog("See /find?text=a"), { max_chars: 200 }).report.left_out).toContain("question");
  });

  test("H4: the assistant's question stays until the user answers", () => {
    const results = Array.from({ length: 20 }, (_, index) =>
      message("tool", "A result.", { id: `r${index}`, name: `${index}` }),
    );
    const question = message("assistant", "Which deal?", { id: "question" });
    expect(shownOf(cut([question, ...results], { max_chars: 200 }))).toContain("question");
    const answered = [question, message("user", "42", { id: "answer" }), ...results];
    expect(cut(answered, { max_chars: 200 }).report.left_out).toContain("question");
  });

  test("H4: if the important ones are too much, the oldest of them are removed, never the newest message", () => {
    const marked = chatter(30).map((each) => ({ ...each, important: true }));
    const fitted = cut([...marked, message("assistant", "The end", { id: "last" })], { max_chars: 300 });
    const left = fitted.report.left_out.length;
    expect(shownOf(fitted)).toEqual([...marked.slice(left).map(({ id }) => id), "last"]);
    expect(left).toBeGreaterThan(0);
  });

  test("H4: the date between two days counts, also after days were removed", () => {
    const days = Array.from({ length: 28 }, (_, index) =>
      message("assistant", "A day.", { id: `${index}`, at: `2026-02-${String(index + 1).padStart(2, "0")}T10:00:00Z` }),
    );
    const first = message("user", "Begin", { id: "first", at: "2026-01-31T10:00:00Z" });
    const { text, report } = cut([first, ...days], { max_chars: 150 }, { locale: "ru" });
    expect(text.split("\n").slice(0, 4)).toEqual([
      "(Опущено сообщений: 26)",
      "[10:00] Пользователь: Begin",
      "— 27 февраля 2026 г. —",
      "[10:00] Ассистент: A day.",
    ]);
    expect(report.after.characters).toBe(charactersOf(text));
  });

  test("H6: the report has the sizes before and after, in three units, and known ids", () => {
    const messages = chatter(20).map((each, index) => (index === 0 ? { ...each, id: null } : each));
    const { report, text } = cut(messages, { max_tokens: 50 });
    const whole = charactersOf(cut(messages, {}).text);
    expect(report).toEqual({
      total: 20,
      shown: 4,
      original_tokens: Math.ceil(whole / 4),
      final_tokens: Math.ceil(charactersOf(text) / 4),
      truncated: true,
      before: { messages: 20, characters: whole, tokens: Math.ceil(whole / 4) },
      after: { messages: 4, characters: charactersOf(text), tokens: Math.ceil(charactersOf(text) / 4) },
      left_out: messages.slice(1, 16).map(({ id }) => id),
      shortened: [],
    });
  });
});

describe("the smallest limit", () => {
  test.each(ROLES)(
    "H4: the newest message of the role %s is there, whatever it is called and however much was before",
    (role) => {
      const name = "crm.".repeat(50);
      const newest = message(role, "Some words that matter. ".repeat(20), { id: "last", name, relevant: true });
      const earlier = Array.from({ length: 9_999 }, (_, index) =>
        message(role, "x", { name: `${index}`, relevant: true }),
      );
      for (const locale of ["en", "ru"] as const) {
        const { text, report, messages } = cut([...earlier, newest], SMALLEST, { locale });
        expect(charactersOf(text)).toBeLessThanOrEqual(128);
        expect(report).toMatchObject({ shown: 1, shortened: ["last"] });
        expect(messages[0]?.content).toMatch(/^(Some .*)?\[…\].*\.\s*$/);
      }
    },
  );

  test("H7: of a single grapheme of a thousand marks only the heading is left", () => {
    const monster = message("user", `a${"\u0301".repeat(1_000)}`);
    expect(cut([monster], SMALLEST).text).toBe("[10:00] User: […]");
  });

  test("H7: an emoji family at the cut is whole or absent", () => {
    for (let before = 0; before < 30; before++) {
      const { messages } = cut([message("user", "x".repeat(before) + "👩‍👩‍👧‍👦".repeat(40))], SMALLEST);
      const rest = messages[0]?.content.replace(/x*/, "").replaceAll("👩‍👩‍👧‍👦", "");
      expect(rest).toBe("[…]");
    }
  });
});

test("H7: a message of a million characters is cut, and one of a million marks", () => {
  const contents = ["word ".repeat(200_000), "x".repeat(1_000_000), `a${"\u0301".repeat(1_000_000)}`, "\n".repeat(1e6)];
  for (const content of contents) {
    for (const place of [0, 1]) {
      const messages = [message("assistant", "Yes."), message("assistant", "No.", { name: "b" })];
      messages.splice(place, 1, message("user", content));
      expect(charactersOf(cut(messages, { max_tokens: 4_000 }).text)).toBeLessThanOrEqual(16_000);
    }
  }
});

test("H4, H7: of ten thousand messages the newest are shown", () => {
  const messages = chatter(10_000);
  const fitted = cut(messages, { max_tokens: 4_000, max_messages: 200 });
  expect(shownOf(fitted)).toEqual(messages.slice(-200).map(({ id }) => id));
  expect(fitted.report).toMatchObject({ total: 10_000, shown: 200, before: { messages: 10_000 } });
  expect(fitted.text.split("\n")[0]).toBe("(Messages left out: 9800)");
});
