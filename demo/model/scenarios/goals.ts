import type { Scenario, ScriptedCall } from "../script.ts";

/** The goal is the user's request, as a sentence. */
const goal = "{wish|capital}";

export const SET_GOAL: ScriptedCall = { tool: "memory.goals.add", params: { goal }, aside: true };

/** Also when it was denied: a denied action is not retried. */
export const CLOSE_GOAL: ScriptedCall = {
  tool: "memory.goals.close",
  params: { goal },
  aside: true,
  evenIfDenied: true,
};

const status: Scenario = {
  name: "tell goals and what is awaited",
  phrases: {
    en: [
      "what are you (doing|up to|working on)",
      "what have you done",
      "what (is|are) (your|the|our) (goal|goals|plan|plans)",
      "(show|list) [me] [(your|the|our|my)] (goal|goals|plan|plans|memory)",
      "what (is|are|else is) [(still|there|now)] (pending|waiting|awaited|planned|in progress)",
      "what (awaits|needs) [my] (approval|confirmation)",
      "what's (pending|waiting|next|the status)",
      "what (is next|next|now)$",
      "where (are|were) we",
      "why (was|is|were|did) [(it|that|this|you|they)] [not] (denied|refused|rejected|deny|refuse|reject)",
      "^(goals|status|pending)$",
    ],
    ru: [
      "(что|чем) [ты] [сейчас] (делаешь|занят*|занимаешься)",
      "что [ты] [уже] (сделал*|сделано)",
      "(какие|какая|какова|покаж*|перечисл*|назови) [(у тебя|у нас|свои|твои|мои|наши|все)] [(сейчас|текущие)] (цель|цели|план|планы)",
      "что [сейчас] (ждёт|ждет|ожидает|висит|запланировано|в работе)",
      "чего [(ты|мы)] (ждёшь|ждешь|ждём|ждем)",
      "что (на подтверждении|на согласовании|на одобрении)",
      "что дальше",
      "почему [(её|ее|его|это|мне)] (отклон*|отказ*|не разреш*)",
      "^(цели|статус|память)$",
    ],
  },
  example: { en: "what are you doing?", ru: "что ты сейчас делаешь?" },
  offered: ["memory.goals.add"],
  say: {
    en: [
      { each: "memory.goals", title: "**Goals**\n", line: "- {it}", none: "I have no goals now." },
      {
        each: "memory.confirmations",
        where: { status: "requested" },
        title: "\n**Waiting for a person to agree**\n",
        line: "- {description}",
        none: "\nNothing waits for a person to agree.",
      },
      {
        each: "memory.confirmations",
        where: { status: "denied" },
        title: "\n**Denied, so not tried again**\n",
        line: "- {description}[?: {reason}]",
        last: 3,
      },
      { each: "memory.next_planned_actions", title: "\n**Planned**\n", line: "- `{method}`", first: 5 },
      { each: "memory.done", title: "\n**Done last**\n", line: "- {description}", last: 3 },
    ],
    ru: [
      { each: "memory.goals", title: "**Цели**\n", line: "- {it}", none: "Целей сейчас нет." },
      {
        each: "memory.confirmations",
        where: { status: "requested" },
        title: "\n**Ждёт согласия человека**\n",
        line: "- {description}",
        none: "\nНичто не ждёт согласия человека.",
      },
      {
        each: "memory.confirmations",
        where: { status: "denied" },
        title: "\n**Отклонено, снова не предлагаю**\n",
        line: "- {description}[?: {reason}]",
        last: 3,
      },
      { each: "memory.next_planned_actions", title: "\n**В планах**\n", line: "- `{method}`", first: 5 },
      { each: "memory.done", title: "\n**Сделано последним**\n", line: "- {description}", last: 3 },
    ],
  },
};

const closeGoal: Scenario = {
  name: "close the newest goal",
  phrases: {
    en: ["(close|drop|forget|remove|cancel) [(the|your|our|this|my)] goal"],
    ru: ["(закрой|закрыть|забудь|убери|удали|сними) [(эту|свою|текущую|мою)] цель"],
  },
  values: {
    goal: {
      otherwise: "memory.goals.0",
      ask: { en: "There is no goal to close.", ru: "Закрывать нечего: целей сейчас нет." },
    },
  },
  wish: { en: "close the goal “{goal}”", ru: "закрыть цель «{goal}»" },
  steps: [[{ tool: "memory.goals.close", params: { goal: "{goal}" } }]],
  say: { en: ["The goal “{goal}” is closed."], ru: ["Цель «{goal}» закрыта."] },
};

/** The memory's content, and its goals. */
export const GOALS: readonly Scenario[] = [status, closeGoal];
