import type { InBoth, Scenario, ScriptedCall, Value } from "../script.ts";
import { CLOSE_GOAL, SET_GOAL } from "./goals.ts";
import { ABOUT, CHANGE, SHOW } from "./words.ts";

const DEAL: Value = {
  otherwise: "memory.objects.current_deal_id",
  ask: {
    en: "Which deal is it? Say its number too, as in “show deal 123”.",
    ru: "О какой сделке речь? Назовите и её номер, например: «покажи сделку 123».",
  },
};
const READ: ScriptedCall = { tool: "crm.deal.get", as: "before", params: { id: "{deal}" } };
/** Read again, because the change may have been edited on approval. */
const READ_AGAIN: ScriptedCall = { ...READ, as: "after" };

const AMOUNT: InBoth<string> = {
  en: "(amount|sum|value|price|opportunity|total)",
  ru: "(сумм*|стоимост*|цен*|бюджет*)",
};
/** "Увеличь на" is by how much, "увеличь до" is to how much. */
const RAISE = {
  en: "(raise|increase|lower|decrease|reduce|cut)",
  ru: "(увелич*|уменьш*|повыс*|подним*|поднять|сниз*)",
};
const OF_DEAL: InBoth<string> = {
  en: "[(of|for|in|on)] [the] deal {deal:number}",
  ru: "[(в|по|у|для)] [эт*] сделк* {deal:number}",
};

const changeAmount: Scenario = {
  name: "change a deal's amount",
  phrases: {
    en: [
      `(${CHANGE.en}|${RAISE.en}) [the] ${AMOUNT.en} ${OF_DEAL.en} (to|at|into|=) {amount:amount}`,
      `(${CHANGE.en}|${RAISE.en}) [the] deal {deal:number}('s|) ${AMOUNT.en} (to|at|into|=) {amount:amount}`,
      `deal {deal:number} ${CHANGE.en} [(the|its)] ${AMOUNT.en} (to|at) {amount:amount}`,
      `(${CHANGE.en}|${RAISE.en}) [(its|the|this deal's|that deal's)] ${AMOUNT.en} [(of it|of this deal|of the deal)] (to|at|into|=) {amount:amount}`,
      `make it {amount:amount}`,
      `(${CHANGE.en}|${RAISE.en}) [the] ${AMOUNT.en} ${OF_DEAL.en}`,
      `(${CHANGE.en}|${RAISE.en}) [the] deal {deal:number}('s|) ${AMOUNT.en}`,
      `(${CHANGE.en}|${RAISE.en}) (its|the|this deal's|that deal's) ${AMOUNT.en}`,
    ],
    ru: [
      `${CHANGE.ru} ${AMOUNT.ru} ${OF_DEAL.ru} (на|до|в|=) {amount:amount}`,
      `${RAISE.ru} ${AMOUNT.ru} ${OF_DEAL.ru} до {amount:amount}`,
      `${CHANGE.ru} ${OF_DEAL.ru} ${AMOUNT.ru} (на|до|в|=) {amount:amount}`,
      `${CHANGE.ru} ${AMOUNT.ru} {amount:amount} ${OF_DEAL.ru}`,
      `сделк* {deal:number} ${CHANGE.ru} ${AMOUNT.ru} (на|до|в|=) {amount:amount}`,
      `${AMOUNT.ru} ${OF_DEAL.ru} [(теперь|должна быть|будет)] {amount:amount}`,
      `${CHANGE.ru} [(её|ее|его)] ${AMOUNT.ru} [(её|ее|его|этой сделки|текущей сделки|сделки)] (на|до|в|=) {amount:amount}`,
      `${RAISE.ru} [(её|ее|его)] ${AMOUNT.ru} [(этой сделки|текущей сделки|сделки)] до {amount:amount}`,
      `(её|ее|его) ${AMOUNT.ru} ${CHANGE.ru} (на|до|в|=) {amount:amount}`,
      `(${CHANGE.ru}|${RAISE.ru}) ${AMOUNT.ru} ${OF_DEAL.ru}`,
      `(${CHANGE.ru}|${RAISE.ru}) [(её|ее|его)] ${AMOUNT.ru} [сделки]`,
    ],
  },
  example: { en: "change the amount of deal 123 to 150000", ru: "измени сумму сделки 123 на 150000" },
  values: {
    deal: DEAL,
    amount: {
      ask: {
        en: "To what amount? Say it all at once, as in “change the amount of deal 123 to 150000”.",
        ru: "Какую сумму поставить? Скажите всё сразу, например: «измени сумму сделки 123 на 150000».",
      },
    },
  },
  wish: {
    en: "change the amount of deal {deal} to {amount|number}",
    ru: "изменить сумму сделки {deal} на {amount|number}",
  },
  steps: [
    [SET_GOAL, READ],
    [
      {
        tool: "crm.deal.update",
        params: { id: "{deal}", fields: { OPPORTUNITY: "{amount}" } },
      },
    ],
    [CLOSE_GOAL, READ_AGAIN],
  ],
  say: {
    en: [
      "Done: the amount of deal {deal} “{after.TITLE}” is now **{after.OPPORTUNITY|money:after.CURRENCY_ID}**. It was {before.OPPORTUNITY|money:before.CURRENCY_ID}.",
    ],
    ru: [
      "Готово: сумма сделки {deal} «{after.TITLE}» теперь **{after.OPPORTUNITY|money:after.CURRENCY_ID}**. Была {before.OPPORTUNITY|money:before.CURRENCY_ID}.",
    ],
  },
};

const changeResponsible: Scenario = {
  name: "change who is responsible for a deal",
  phrases: {
    en: [
      "(change|set) [the] responsible [(person|user|manager)] (of|for|on|in) [the] deal {deal:number} to [user] {user:number}",
      "(assign|reassign|hand [over]|give|transfer) [the] deal {deal:number} to [user] {user:number}",
      "make user {user:number} responsible for [the] deal {deal:number}",
      "(change|set) [the] responsible [(person|user|manager)] (of|for|on|in) [the] deal {deal:number}",
      "(assign|reassign|hand over|transfer) [the] deal {deal:number}",
    ],
    ru: [
      `(${CHANGE.ru}|назнач*) ответственн* (по|в|у|за|для|на) сделк* {deal:number} [на] [(пользовател*|сотрудник*)] {user:number}`,
      `(${CHANGE.ru}|назнач*) ответственн* сделк* {deal:number} [на] [(пользовател*|сотрудник*)] {user:number}`,
      "назнач* [(пользовател*|сотрудник*)] {user:number} ответственн* (за|по|в|на) сделк* {deal:number}",
      "(передай|передать|переназнач*|отдай) сделк* {deal:number} [на] [(пользовател*|сотрудник*)] {user:number}",
      `(${CHANGE.ru}|назнач*) ответственн* [(по|в|у|за|для|на)] сделк* {deal:number}`,
      "(передай|передать|переназнач*) сделк* {deal:number}",
    ],
  },
  example: { en: "assign deal 123 to user 2", ru: "передай сделку 123 пользователю 2" },
  values: {
    deal: DEAL,
    user: {
      ask: {
        en: "Who is to be responsible? Say the user's number, as in “assign deal 123 to user 2”; “list users” shows them.",
        ru: "Кого назначить? Назовите номер сотрудника, например: «передай сделку 123 пользователю 2»; номера покажет «список сотрудников».",
      },
    },
  },
  wish: {
    en: "make user {user} responsible for deal {deal}",
    ru: "назначить сотрудника {user} ответственным за сделку {deal}",
  },
  steps: [
    [SET_GOAL, READ],
    [{ tool: "crm.deal.update", params: { id: "{deal}", fields: { ASSIGNED_BY_ID: "{user}" } } }],
    [CLOSE_GOAL, READ_AGAIN],
  ],
  say: {
    en: [
      "Done: user {after.ASSIGNED_BY_ID} is now responsible for deal {deal} “{after.TITLE}”. It was user {before.ASSIGNED_BY_ID}.",
    ],
    ru: [
      "Готово: за сделку {deal} «{after.TITLE}» теперь отвечает сотрудник {after.ASSIGNED_BY_ID}. Раньше отвечал сотрудник {before.ASSIGNED_BY_ID}.",
    ],
  },
};

const comment: Scenario = {
  name: "comment on a deal",
  phrases: {
    en: [
      "(add|write|leave|put|post) [a] (comment|note) (to|on|in|for) [the] deal {deal:number} {comment:words}",
      "comment on [the] deal {deal:number} {comment:words}",
      "(add|write|leave|put|post) [a] (comment|note) (to|on|in|for) [the] deal {deal:number}$",
      "(add|write|leave|put|post) [a] (comment|note) [(to|on|in|for) (it|the deal|this deal)]$",
      "(add|write|leave|put|post) [a] (comment|note) [(to|on|in|for) (it|the deal|this deal)] {comment:words}",
    ],
    ru: [
      "(добав*|напиш*|оставь|оставить|запиш*) (комментари*|коммент|заметк*) (к|в|по|на) сделк* {deal:number} {comment:words}",
      "прокомментир* сделк* {deal:number} {comment:words}",
      "(добав*|напиш*|оставь|запиш*) (к|в|по) сделк* {deal:number} (комментари*|коммент|заметк*) {comment:words}",
      "(к|в|по) сделк* {deal:number} (добав*|напиш*|оставь|запиш*) (комментари*|коммент|заметк*) {comment:words}",
      "(добав*|напиш*|оставь|оставить|запиш*) (комментари*|коммент|заметк*) (к|в|по|на) сделк* {deal:number}$",
      "(добав*|напиш*|оставь|оставить|запиш*) (комментари*|коммент|заметк*) [(к|в|по|на) (ней|неё|нее|этой сделке|сделке)]$",
      "(добав*|напиш*|оставь|оставить|запиш*) (комментари*|коммент|заметк*) [(к|в|по|на) (ней|неё|нее|этой сделке|сделке)] {comment:words}",
    ],
  },
  example: {
    en: "add a comment to deal 123: call back on Monday",
    ru: "добавь комментарий к сделке 123: перезвонить в понедельник",
  },
  values: {
    deal: DEAL,
    comment: {
      ask: {
        en: "What is the comment to say? Say it all at once, as in “add a comment to deal 123: call back on Monday”.",
        ru: "Что написать? Скажите всё сразу, например: «добавь комментарий к сделке 123: перезвонить в понедельник».",
      },
    },
  },
  wish: { en: "comment on deal {deal}", ru: "добавить комментарий к сделке {deal}" },
  steps: [
    [
      {
        tool: "crm.timeline.comment.add",
        params: { fields: { ENTITY_ID: "{deal}", ENTITY_TYPE: "deal", COMMENT: "{comment}" } },
      },
    ],
  ],
  say: {
    en: ["Done: the comment stands on deal {deal}: “{comment}”."],
    ru: ["Готово: комментарий добавлен к сделке {deal}: «{comment}»."],
  },
};

const show: Scenario = {
  name: "show a deal",
  phrases: {
    en: [
      `${SHOW.en} [me] [the] [${AMOUNT.en}] ${OF_DEAL.en}`,
      "^deal {deal:number}$",
      `${SHOW.en} [me] (it|deal|the deal|this deal|that deal|the current deal) [again]$`,
      `${SHOW.en} (its|the) ${AMOUNT.en}$`,
    ],
    ru: [
      `${SHOW.ru} ${ABOUT.ru} [${AMOUNT.ru}] ${OF_DEAL.ru}`,
      `сделк* {deal:number} ${SHOW.ru}`,
      "^(а|и|ну) [(по|со|с)] сделк* {deal:number}$",
      "^[(по|со|с)] сделк* {deal:number}$",
      `${SHOW.ru} ${ABOUT.ru} [(эт*|текущ*|ту)] (сделка|сделку|сделке|сделкой|её|ее) [(снова|ещё раз|еще раз)]$`,
      `${SHOW.ru} [(её|ее|у неё|у нее)] ${AMOUNT.ru} [сделки]$`,
    ],
  },
  example: { en: "show deal 123", ru: "покажи сделку 123" },
  values: { deal: DEAL },
  wish: { en: "show deal {deal}", ru: "показать сделку {deal}" },
  steps: [[{ ...READ, as: "found" }]],
  say: {
    en: [
      "**Deal {deal}: {found.TITLE}**",
      "",
      "- Amount: {found.OPPORTUNITY|money:found.CURRENCY_ID}",
      "[?- Stage: {found.STAGE_ID}]",
      "[?- Responsible: user {found.ASSIGNED_BY_ID}]",
      "[?- Contact: {found.CONTACT_ID}]",
      "[?- Company: {found.COMPANY_ID}]",
      "[?- To be closed by {found.CLOSEDATE|day}]",
    ],
    ru: [
      "**Сделка {deal}: {found.TITLE}**",
      "",
      "- Сумма: {found.OPPORTUNITY|money:found.CURRENCY_ID}",
      "[?- Стадия: {found.STAGE_ID}]",
      "[?- Ответственный: сотрудник {found.ASSIGNED_BY_ID}]",
      "[?- Контакт: {found.CONTACT_ID}]",
      "[?- Компания: {found.COMPANY_ID}]",
      "[?- Завершить до: {found.CLOSEDATE|day}]",
    ],
  },
};

/** Actions on one deal. */
export const DEALS: readonly Scenario[] = [comment, changeAmount, changeResponsible, show];
