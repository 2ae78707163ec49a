import type { ImportedConversation } from "../../lib/intake/new-event.ts";
import type { JsonObject } from "../../lib/session/json/json.ts";
import type { Locale, Texts } from "../texts.ts";
import { plansIn, summarize } from "./deal-1842-plans.ts";
import type { Asked, Decision, Outcome, Scene } from "./scene.ts";
import { Story } from "./story.ts";
import { HOUR, MINUTE, nextWeekday, SECOND } from "./times.ts";

const TEXTS = {
  en: {
    description: (id: string) => `Raise the amount of deal ${id}`,
    title: "Deal 1842: amount and a call",
    user: "Ilya Danilov",
    agent: "CRM assistant",
    instruction:
      "You are the CRM assistant of a sales team. Plan the calls and carry them out. Change amounts, stages and owners only with a person's approval.",
    asksLookup: "Remind me, where are we with Kravtsova?",
    goalFollow: "Keep Ilya up to date on Kravtsova",
    contact: "Anna Kravtsova",
    dealTitle: "Server delivery, phase II",
    company: "Server Centre",
    city: "Kazan",
    lastTouch: "mail with the specification",
    oneDeal: "One open deal, no tasks.",
    lookupSaid:
      'Kravtsova has one open deal: **1842, "Server delivery, phase II"**, $1,120,000. Last contact: a mail with the specification. No tasks.',
    inputName: "Kravtsova",
    asksRaise: "Raise the amount to $1,180,000 and schedule a call with her for Wednesday, 12:00",
    goalRaise: "Raise the amount of deal 1842 to $1,180,000",
    manager: "M. Orlova",
    raised: "Done: deal 1842 is now at **$1,180,000**, and the call with Kravtsova is on Wednesday, 12:00.",
    inputUser: "Danilov",
    call: "Call: Kravtsova",
    asksBoth:
      "Raise deal 1842 to $1,450,000 and schedule a call with Kravtsova for Thursday, 15:00. The same for 1907, up to $620,000.",
    goalBoth: "Raise the amounts of deals 1842 and 1907",
    bothSaid: "The call is set for Thursday, 15:00. I will change the amounts once they are approved.",
    asksWhether: "So, has the amount been changed?",
    waits: "The call is set for Thursday, 15:00. The amount still waits for approval: the request is with M. Orlova.",
    responsible: "I. Danilov",
    kravtsovaSummary: "Anna Kravtsova is choosing a delivery date; 23 contacts, the last one yesterday.",
    callMelnik: "Call: Melnik",
    service: "Service for 2027",
    melnik: "Oleg Melnik",
    vector: "Vector",
    melnikSummary: "Oleg Melnik has agreed to the scope of the service; 9 contacts.",
    phoneCall: "call",
    mail: "mail",
    meeting: "meeting",
  },
  ru: {
    description: (id: string) => `Поднять сумму сделки ${id}`,
    title: "Сделка 1842: сумма и созвон",
    user: "Илья Данилов",
    agent: "CRM-ассистент",
    instruction:
      "Ты CRM-ассистент отдела продаж. Составь план вызовов и выполни его. Суммы, стадии и ответственных меняй только с согласия человека.",
    asksLookup: "Напомни, что у нас с Кравцовой?",
    goalFollow: "Держать Илью в курсе по Кравцовой",
    contact: "Анна Кравцова",
    dealTitle: "Поставка серверов, II очередь",
    company: "Сервер-Центр",
    city: "Казань",
    lastTouch: "письмо со спецификацией",
    oneDeal: "Одна открытая сделка, задач нет.",
    lookupSaid:
      "По Кравцовой одна открытая сделка: **1842, «Поставка серверов, II очередь»**, 1 120 000 ₽. Последнее касание: письмо со спецификацией. Задач нет.",
    inputName: "Кравцова",
    asksRaise: "Подними сумму до 1 180 000 ₽ и поставь созвон с ней на среду, 12:00",
    goalRaise: "Поднять сумму сделки 1842 до 1 180 000 ₽",
    manager: "М. Орлова",
    raised: "Готово: сумма сделки 1842 теперь **1 180 000 ₽**, созвон с Кравцовой стоит на среду, 12:00.",
    inputUser: "Данилов",
    call: "Созвон: Кравцова",
    asksBoth:
      "Подними сумму сделки 1842 до 1 450 000 ₽ и поставь созвон с Кравцовой на четверг в 15:00. По 1907 то же, до 620 000 ₽.",
    goalBoth: "Поднять суммы сделок 1842 и 1907",
    bothSaid: "Созвон поставил на четверг, 15:00. Суммы изменю после согласования.",
    asksWhether: "Ну что, сумму поменяли?",
    waits: "Созвон стоит на четверг, 15:00. Сумма ещё ждёт согласования: запрос у М. Орловой.",
    responsible: "И. Данилов",
    kravtsovaSummary: "Анна Кравцова выбирает срок поставки; 23 касания, последнее вчера.",
    callMelnik: "Созвон: Мельник",
    service: "Сервис на 2027 год",
    melnik: "Олег Мельник",
    vector: "Вектор",
    melnikSummary: "Олег Мельник согласовал объём сервиса; 9 касаний.",
    phoneCall: "звонок",
    mail: "письмо",
    meeting: "встреча",
  },
} satisfies Texts;

type DealTexts = (typeof TEXTS)[Locale];

const LIMIT = { code: "QUERY_LIMIT_EXCEEDED", message: "Too many requests" };

/** «Сделка 1842»: four turns in five hours; the third has pending approvals for two deals. */
export function deal1842(now: Date, locale: Locale): ImportedConversation {
  const t = TEXTS[locale];
  const { lookup, raise, raiseWithin } = plansIn(locale);
  const { deal, asks, kravtsova } = recordsIn(t);
  const end = now.getTime();
  const thursday = nextWeekday(end, 4);
  const start = end - 5 * HOUR - 9 * MINUTE;
  const about = {
    id: "demo-deal-1842",
    title: t.title,
    channel: "telegram",
    user: t.user,
    agent: t.agent,
    locale,
    instruction: t.instruction,
    remembers: true as const,
  };
  const story = new Story(about, start).stage(null, "demo");

  story.user(t.asksLookup).turn(
    (turn) =>
      turn
        .think(1_940, [1_288, 164], lookup)
        .goal(t.goalFollow)
        .play({
          contacts: { ms: 380, output: { total: 1, id: 377, name: t.contact, company: 58 } },
          deals: {
            ms: 460,
            output: {
              first: 1842,
              total: 1,
              items: [{ id: 1842, title: t.dealTitle, amount: 1_120_000 }],
            },
          },
          tasks: { ms: 310, output: { total: 0, items: [] } },
          company: { ms: 390, output: { id: 58, name: t.company, city: t.city } },
          stages: { ms: 240, output: ["PREPARATION", "NEGOTIATION", "WON", "LOSE"] },
          activities: { ms: 520, output: { total: 21, last: t.lastTouch } },
          answer: { ms: 1_450, model: { input: 1_690, output: 118 }, output: t.oneDeal },
        })
        .think(1_120, [1_930, 71])
        .say(t.lookupSaid),
    { input: { name: t.inputName } },
  );

  story
    .later(15 * MINUTE)
    .user(t.asksRaise)
    .turn(
      (turn) =>
        turn
          .think(2_210, [1_544, 231], raise)
          .goal(t.goalRaise)
          .play({
            get: { ms: 405, output: deal(1842, 1_120_000) },
            update: {
              ms: 690,
              output: { id: 1842, updated: true },
              asks: asks("1842", 1_120_000, { after: 94 * SECOND, by: t.manager }),
            },
            contact: { ms: 470, output: kravtsova },
            free: { ms: 330, output: { free: true } },
            me: { ms: 260, output: { id: 12, name: t.user } },
            checklist: { ms: 420, output: { id: 5_521 } },
            task: { ms: 810, output: { id: 9288, deadline: `${nextWeekday(end, 3)}T12:00` } },
            comment: { ms: 350, output: { id: 70_114 } },
          })
          .reached(t.goalRaise)
          .think(1_240, [2_310, 58])
          .say(t.raised),
      {
        input: {
          id: 1842,
          amount: 1_180_000,
          user: t.inputUser,
          call: { title: t.call, deadline: `${nextWeekday(end, 3)}T12:00` },
        },
      },
    );

  const scenes = { "①": first(t, `${thursday}T15:00`), "②": second(t, `${thursday}T16:00`) };
  story
    .later(2 * HOUR + 38 * MINUTE)
    .user(t.asksBoth)
    .turn(
      (turn) => turn.think(2_590, [1_812, 402], raiseWithin).goal(t.goalBoth).playInstances(scenes).say(t.bothSaid),
      { input: { "①": scenes["①"].input, "②": scenes["②"].input } },
    );

  return story
    .later(42 * MINUTE)
    .user(t.asksWhether)
    .turn((turn) => turn.think(1_310, [2_140, 64]).say(t.waits))
    .recordedUntil(end);
}

function first(t: DealTexts, deadline: string): Scene {
  const { deal, asks, kravtsova } = recordsIn(t);
  return {
    input: { deals: [{ id: 1842, amount: 1_450_000 }], call: { title: t.call, deadline } },
    outcomes: {
      get: { ms: 412, output: deal(1842, 1_180_000) },
      policy: { ms: 640, output: { limit: 1_500_000 }, branch: 0 },
      contact: { ms: 570, output: kravtsova, tries: [{ ms: 370, error: LIMIT, delay: SECOND }] },
      update: { ms: 700, asks: asks("1842", 1_180_000) },
      task: { ms: 880, output: { id: 9317, deadline, responsible: t.responsible } },
      summarize: summary(t, [23, 4_100], t.kravtsovaSummary),
    },
  };
}

function second(t: DealTexts, deadline: string): Scene {
  const { asks } = recordsIn(t);
  return {
    input: { deals: [{ id: 1907, amount: 620_000 }], call: { title: t.callMelnik, deadline } },
    outcomes: {
      get: {
        ms: 690,
        output: { id: 1907, title: t.service, amount: 540_000, contact: 402, stage: "PREPARATION" },
      },
      policy: { ms: 480, output: { limit: 700_000 }, branch: 0 },
      contact: { ms: 610, output: { id: 402, name: t.melnik, phone: "+7 843 555-01-02", company: t.vector } },
      update: { ms: 700, asks: asks("1907", 540_000) },
      task: { ms: 960, output: { id: 9318, deadline, responsible: t.responsible } },
      summarize: summary(t, [9, 3_300], t.melnikSummary),
    },
  };
}

/** CRM data, and the confirmation texts. */
function recordsIn(t: DealTexts) {
  return {
    kravtsova: { id: 377, name: t.contact, phone: "+7 917 200-11-22", company: t.company },
    deal: (id: number, amount: number): JsonObject => ({
      ...{ id, title: t.dealTitle, amount, contact: 377, stage: "NEGOTIATION" },
    }),
    asks: (id: string, amount: number, decision?: Decision): Asked => ({
      key: `deal_${id}_opportunity`,
      description: t.description(id),
      before: { OPPORTUNITY: amount },
      decision,
    }),
  };
}

function summary(t: DealTexts, [total, ms]: [total: number, ms: number], text: string): Outcome {
  return {
    ms: 60,
    output: { text },
    delegate: {
      name: "summarize",
      plan: summarize,
      outcomes: {
        activities: { ms: 530, output: { total, items: [t.phoneCall, t.mail, t.meeting] } },
        text: { ms, model: { input: 640 + 24 * total, output: 142 }, output: text },
      },
    },
  };
}
