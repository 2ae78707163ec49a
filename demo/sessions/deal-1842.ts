import type { ImportedConversation } from "../../lib/intake/new-event.ts";
import type { JsonObject } from "../../lib/session/json/json.ts";
import { lookup, raise, raiseWithin, summarize } from "./deal-1842-plans.ts";
import type { Asked, Decision, Outcome, Scene } from "./scene.ts";
import { Story } from "./story.ts";
import { HOUR, MINUTE, nextWeekday, SECOND } from "./times.ts";

const LIMIT = { code: "QUERY_LIMIT_EXCEEDED", message: "Too many requests" };

/** «Сделка 1842»: four turns in five hours; the third waits for a person with two deals. */
export function deal1842(now: Date): ImportedConversation {
  const end = now.getTime();
  const thursday = nextWeekday(end, 4);
  const start = end - 5 * HOUR - 9 * MINUTE;
  const about = {
    id: "demo-deal-1842",
    title: "Сделка 1842: сумма и созвон",
    channel: "telegram",
    user: "Илья Данилов",
    agent: "CRM-ассистент",
    locale: "ru" as const,
    instruction:
      "Ты CRM-ассистент отдела продаж. Составь план вызовов и выполни его. Суммы, стадии и ответственных меняй только с согласия человека.",
    remembers: true as const,
  };
  const story = new Story(about, start).stage(null, "demo");

  story.user("Напомни, что у нас с Кравцовой?").turn(
    (turn) =>
      turn
        .think(1_940, [1_288, 164], lookup)
        .goal("Держать Илью в курсе по Кравцовой")
        .play({
          contacts: { ms: 380, output: { total: 1, id: 377, name: "Анна Кравцова", company: 58 } },
          deals: {
            ms: 460,
            output: {
              first: 1842,
              total: 1,
              items: [{ id: 1842, title: "Поставка серверов, II очередь", amount: 1_120_000 }],
            },
          },
          tasks: { ms: 310, output: { total: 0, items: [] } },
          company: { ms: 390, output: { id: 58, name: "Сервер-Центр", city: "Казань" } },
          stages: { ms: 240, output: ["PREPARATION", "NEGOTIATION", "WON", "LOSE"] },
          activities: { ms: 520, output: { total: 21, last: "письмо со спецификацией" } },
          answer: { ms: 1_450, model: { input: 1_690, output: 118 }, output: "Одна открытая сделка, задач нет." },
        })
        .think(1_120, [1_930, 71])
        .say(
          "По Кравцовой одна открытая сделка: **1842, «Поставка серверов, II очередь»**, 1 120 000 ₽. Последнее касание: письмо со спецификацией. Задач нет.",
        ),
    { input: { name: "Кравцова" } },
  );

  story
    .later(15 * MINUTE)
    .user("Подними сумму до 1 180 000 ₽ и поставь созвон с ней на среду, 12:00")
    .turn(
      (turn) =>
        turn
          .think(2_210, [1_544, 231], raise)
          .goal("Поднять сумму сделки 1842 до 1 180 000 ₽")
          .play({
            get: { ms: 405, output: deal(1842, 1_120_000) },
            update: {
              ms: 690,
              output: { id: 1842, updated: true },
              asks: asks("1842", 1_120_000, { after: 94 * SECOND, by: "М. Орлова" }),
            },
            contact: { ms: 470, output: KRAVTSOVA },
            free: { ms: 330, output: { free: true } },
            me: { ms: 260, output: { id: 12, name: "Илья Данилов" } },
            checklist: { ms: 420, output: { id: 5_521 } },
            task: { ms: 810, output: { id: 9288, deadline: `${nextWeekday(end, 3)}T12:00` } },
            comment: { ms: 350, output: { id: 70_114 } },
          })
          .reached("Поднять сумму сделки 1842 до 1 180 000 ₽")
          .think(1_240, [2_310, 58])
          .say("Готово: сумма сделки 1842 теперь **1 180 000 ₽**, созвон с Кравцовой стоит на среду, 12:00."),
      {
        input: {
          id: 1842,
          amount: 1_180_000,
          user: "Данилов",
          call: { title: "Созвон: Кравцова", deadline: `${nextWeekday(end, 3)}T12:00` },
        },
      },
    );

  const scenes = { "①": first(`${thursday}T15:00`), "②": second(`${thursday}T16:00`) };
  story
    .later(2 * HOUR + 38 * MINUTE)
    .user(
      "Подними сумму сделки 1842 до 1 450 000 ₽ и поставь созвон с Кравцовой на четверг в 15:00. По 1907 то же, до 620 000 ₽.",
    )
    .turn(
      (turn) =>
        turn
          .think(2_590, [1_812, 402], raiseWithin)
          .goal("Поднять суммы сделок 1842 и 1907")
          .playInstances(scenes)
          .say("Созвон поставил на четверг, 15:00. Суммы изменю после согласования."),
      { input: { "①": scenes["①"].input, "②": scenes["②"].input } },
    );

  return story
    .later(42 * MINUTE)
    .user("Ну что, сумму поменяли?")
    .turn((turn) =>
      turn
        .think(1_310, [2_140, 64])
        .say("Созвон стоит на четверг, 15:00. Сумма ещё ждёт согласования: запрос у М. Орловой."),
    )
    .recordedUntil(end);
}

const KRAVTSOVA = { id: 377, name: "Анна Кравцова", phone: "+7 917 200-11-22", company: "Сервер-Центр" };

function first(deadline: string): Scene {
  return {
    input: { deals: [{ id: 1842, amount: 1_450_000 }], call: { title: "Созвон: Кравцова", deadline } },
    outcomes: {
      get: { ms: 412, output: deal(1842, 1_180_000) },
      policy: { ms: 640, output: { limit: 1_500_000 }, branch: 0 },
      contact: { ms: 570, output: KRAVTSOVA, tries: [{ ms: 370, error: LIMIT, delay: SECOND }] },
      update: { ms: 700, asks: asks("1842", 1_180_000) },
      task: { ms: 880, output: { id: 9317, deadline, responsible: "И. Данилов" } },
      summarize: summary(23, 4_100, "Анна Кравцова выбирает срок поставки; 23 касания, последнее вчера."),
    },
  };
}

function second(deadline: string): Scene {
  return {
    input: { deals: [{ id: 1907, amount: 620_000 }], call: { title: "Созвон: Мельник", deadline } },
    outcomes: {
      get: {
        ms: 690,
        output: { id: 1907, title: "Сервис на 2027 год", amount: 540_000, contact: 402, stage: "PREPARATION" },
      },
      policy: { ms: 480, output: { limit: 700_000 }, branch: 0 },
      contact: { ms: 610, output: { id: 402, name: "Олег Мельник", phone: "+7 843 555-01-02", company: "Вектор" } },
      update: { ms: 700, asks: asks("1907", 540_000) },
      task: { ms: 960, output: { id: 9318, deadline, responsible: "И. Данилов" } },
      summarize: summary(9, 3_300, "Олег Мельник согласовал объём сервиса; 9 касаний."),
    },
  };
}

function deal(id: number, amount: number): JsonObject {
  return { id, title: "Поставка серверов, II очередь", amount, contact: 377, stage: "NEGOTIATION" };
}

function asks(id: string, amount: number, decision?: Decision): Asked {
  const description = `Поднять сумму сделки ${id}`;
  return { key: `deal_${id}_opportunity`, description, before: { OPPORTUNITY: amount }, decision };
}

function summary(total: number, ms: number, text: string): Outcome {
  return {
    ms: 60,
    output: { text },
    delegate: {
      name: "summarize",
      plan: summarize,
      outcomes: {
        activities: { ms: 530, output: { total, items: ["звонок", "письмо", "встреча"] } },
        text: { ms, model: { input: 640 + 24 * total, output: 142 }, output: text },
      },
    },
  };
}
