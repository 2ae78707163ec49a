import { expect, test } from "vitest";
import type { JsonObject } from "../session/json/json.ts";
import { selfCheck } from "./self-check.ts";
import { AT, carriedOut, document, EXAMPLE } from "./testing/documents.ts";
import { update } from "./update.ts";

const NOW = new Date("2026-11-22T09:00:00Z");
const GOALS = { goals: ["Создать сделку"] };

const warnings = (keys: JsonObject, locale: "en" | "ru" = "ru") =>
  selfCheck(document({ ...GOALS, ...keys }), NOW, locale);

/** A confirmation pending since then. */
function waiting(requested_at: string, status = "requested"): JsonObject {
  const action = { method: "m", params: {} };
  return { confirmations: { key: { status, requested_at, description: "Изменить сумму", action } } };
}

test("M10: a document with goals and no past has no problems", () => {
  expect(warnings({})).toEqual([]);
});

test("M10: without goals, also with blank ones, there is a warning", () => {
  for (const goals of [[], ["  "]]) {
    expect(warnings({ goals })).toEqual(["Нет актуальных целей. Скажите, чего нужно добиться."]);
    expect(warnings({ goals }, "en")).toEqual(["There are no goals. State what is to be achieved."]);
  }
});

test("M10: without current objects there is a warning if done has created or viewed objects", () => {
  const done = (description: string, object_ids: JsonObject = {}) => ({
    done: [{ timestamp: AT, description, object_ids }],
  });
  const lost =
    "В истории есть созданные или просмотренные объекты, но текущая сделка, контакт, компания или задача не выбраны. Уточните, о чём идёт речь.";
  expect(warnings(done("", { deal_id: 5 }))).toEqual([lost]);
  expect(warnings(done("Создана сделка"))).toEqual([lost]);
  expect(warnings(done("Viewed 17 deals"))).toEqual([lost]);
  expect(warnings(done("Created a deal"), "en")).toEqual([
    "Objects were created or viewed, but no current deal, contact, company or task is selected. State which one this is about.",
  ]);
  expect(warnings(done("Оформлена подписка на событие a", { deal_id: null }))).toEqual([]);
  expect(warnings({ ...done("Создана сделка"), objects: { ...document().objects, current_task_id: 7 } })).toEqual([]);
});

test("M10: entries about lists and created objects are recognized, in both languages", () => {
  for (const locale of ["en", "ru"] as const)
    for (const happening of [carriedOut("crm.status.list", {}, []), carriedOut("crm.activity.add", {}, null, "create")])
      expect(selfCheck(update(document(GOALS), happening, locale), NOW, "en")).toHaveLength(1);
});

test("M10: confirmations pending for more than 24 hours are reported", () => {
  expect(warnings(waiting("2026-11-21T08:59:59Z"))).toEqual([
    "«Изменить сумму» ждёт решения уже 24 часа. Согласуйте или отклоните.",
  ]);
  expect(warnings(waiting("2026-11-21T03:00:00Z"), "en")).toEqual([
    "“Изменить сумму” has waited for a decision for 30 hours. Approve or deny it.",
  ]);
  expect(warnings(waiting("2026-11-17T08:00:00Z"))).toEqual([
    "«Изменить сумму» ждёт решения уже 5 дней. Согласуйте или отклоните.",
  ]);
  expect(warnings(waiting("2026-11-21T09:00:00Z"))).toEqual([]);
  expect(warnings(waiting("2026-11-01T09:00:00Z", "denied"))).toEqual([]);
});

test("M10: steps without a description are reported", () => {
  const steps = (...descriptions: (string | null)[]) => ({
    in_progress: descriptions.map((description) => ({ description, requested_at: AT })),
  });
  expect(warnings(steps("Ждём сумму", "", null))).toEqual([
    "В работе 2 шага без описания. Уточните, чего нужно дождаться.",
  ]);
  expect(warnings(steps(" "))).toEqual(["В работе 1 шаг без описания. Уточните, чего нужно дождаться."]);
  expect(warnings({ in_progress: [{ requested_at: AT }] }, "en")).toEqual([
    "1 step in progress without a description. State what is pending.",
  ]);
  expect(warnings(steps("Ждём сумму"))).toEqual([]);
});

test("M10: the example has no problems on its day, and an overdue confirmation two days later", () => {
  expect(selfCheck(EXAMPLE, new Date("2024-05-01T12:00:00Z"), "ru")).toEqual([]);
  expect(selfCheck(EXAMPLE, new Date("2024-05-03T12:00:00Z"), "ru")).toEqual([
    "«Изменить сумму сделки 123 до 100000» ждёт решения уже 2 дня. Согласуйте или отклоните.",
  ]);
});
