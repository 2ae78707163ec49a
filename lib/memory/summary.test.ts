import fc from "fast-check";
import { expect, test } from "vitest";
import { summarize } from "./summary.ts";
import { AT, anyDocument, document, EXAMPLE } from "./testing/documents.ts";

const WIDE = 10_000;

test("M12: the example, in Russian", () => {
  expect(summarize(EXAMPLE, { limit: WIDE, locale: "ru" })).toBe(
    [
      "Ждут согласования:",
      "- Изменить сумму сделки 123 до 100000 (deal_123_opportunity, с 2024-05-01T10:05:00Z)",
      "Цели:",
      "- Создать сделку",
      "- Назначить звонок",
      "Текущие: сделка 123, контакт 456, задача 789",
      "Сделано последним:",
      "- 2024-05-01T10:00:00Z Создана сделка",
    ].join("\n"),
  );
});

test("M12: the example, in English", () => {
  expect(summarize(EXAMPLE, { limit: WIDE, locale: "en" })).toBe(
    [
      "Waiting for approval:",
      "- Изменить сумму сделки 123 до 100000 (deal_123_opportunity, since 2024-05-01T10:05:00Z)",
      "Goals:",
      "- Создать сделку",
      "- Назначить звонок",
      "Current: deal 123, contact 456, task 789",
      "Done last:",
      "- 2024-05-01T10:00:00Z Создана сделка",
    ].join("\n"),
  );
});

test("M12: has the last 3 of done, one per line", () => {
  const done = ["1", "2", "3\nand\tmore", "4"].map((description) => ({ timestamp: AT, description, object_ids: {} }));
  expect(summarize(document({ done }), { limit: WIDE, locale: "en" })).toBe(
    `Done last:\n- ${AT} 2\n- ${AT} 3 and more\n- ${AT} 4`,
  );
});

test("M12: is empty for an empty document", () => {
  expect(summarize(document(), { limit: WIDE, locale: "en" })).toBe("");
});

test("M12: is cut by importance: done, then ids, goals and confirmations", () => {
  const whole = summarize(EXAMPLE, { limit: WIDE, locale: "en" });
  const until = (section: string) => summarize(EXAMPLE, { limit: whole.indexOf(section) + 1, locale: "en" });
  expect(until("Done last")).toContain("Current: deal 123");
  expect(until("Current")).toContain("Назначить звонок");
  expect(until("Goals")).toContain("deal_123_opportunity");
});

test("M12: never exceeds its limit, and is cut between graphemes", () => {
  const graphemes = new Intl.Segmenter("ru", { granularity: "grapheme" });
  fc.assert(
    fc.property(anyDocument, fc.nat(300), fc.constantFrom("en", "ru"), (any, limit, locale) => {
      const whole = summarize(any, { limit: Number.POSITIVE_INFINITY, locale });
      const text = summarize(any, { limit, locale });
      expect(text.length).toBeLessThanOrEqual(limit);
      if (text === whole || limit === 0) return;
      const kept = text.slice(0, -1);
      expect(text.at(-1)).toBe("…");
      const starts = new Set([0, whole.length, ...[...graphemes.segment(whole)].map(({ index }) => index)]);
      expect(whole.startsWith(kept) && starts.has(kept.length)).toBe(true);
      expect(kept.length).toBe(Math.max(...[...starts].filter((start) => start < limit)));
    }),
  );
});
