import type { JsonObject } from "../../lib/session/json/json.ts";
import type { Locale, Texts } from "../texts.ts";

const TEXTS = {
  en: {
    raiseReason: "Ilya asked to raise the amount; amounts change only with a person's approval.",
    withinReason:
      "Ilya asked to raise the deal's amount. The discount policy allows it; amounts change only with a person's approval, so I ask for it.",
  },
  ru: {
    raiseReason: "Илья попросил поднять сумму; сумма меняется только с согласия человека.",
    withinReason:
      "Илья попросил поднять сумму сделки. Политика скидок это разрешает; сумма меняется только с согласия человека, поэтому прошу подтвердить.",
  },
} satisfies Texts;

type PlanTexts = (typeof TEXTS)[Locale];

/** A user's profile, and a summary of it. */
const lookup: JsonObject[] = [
  { _tool: "crm.contact.list", _id: "contacts", LAST_NAME: "†input.name", _outputPath: "†state.contact" },
  { _tool: "crm.deal.list", _id: "deals", CONTACT_ID: "†state.contact.id", _outputPath: "†state.deals" },
  { _tool: "tasks.task.list", _id: "tasks", CONTACT_ID: "†state.contact.id", _outputPath: "†state.tasks" },
  { _tool: "crm.activity.list", _id: "activities", OWNER_ID: "†state.deals.first", _outputPath: "†state.activities" },
  { _tool: "crm.company.get", _id: "company", id: "†state.contact.company", _outputPath: "†state.company" },
  { _tool: "crm.deal.category.stage.list", _id: "stages", _outputPath: "†state.stages" },
  {
    _tool: "composeText",
    _id: "answer",
    tasks: "†state.tasks",
    stages: "†state.stages",
    company: "†state.company.name",
    about: "†state.deals && †state.activities",
    _outputPath: "†state.text",
  },
];

/** A change that requires approval, and its readers. */
const raiseIn = (t: PlanTexts): JsonObject[] => [
  { _tool: "crm.deal.get", _id: "get", id: "†input.id", _outputPath: "†state.deal" },
  {
    _tool: "crm.deal.update",
    _id: "update",
    _reasoningForCall: t.raiseReason,
    id: "†state.deal.id",
    fields: { OPPORTUNITY: "†input.amount" },
    _outputPath: "†state.update",
  },
  { _tool: "crm.contact.get", _id: "contact", id: "†state.deal.contact", _outputPath: "†state.contact" },
  { _tool: "calendar.accessibility.get", _id: "free", at: "†input.call.deadline", _outputPath: "†state.free" },
  { _tool: "user.get", _id: "me", NAME: "†input.user", _outputPath: "†state.me" },
  {
    _tool: "tasks.task.add",
    _id: "task",
    RESPONSIBLE_ID: "†state.free && †state.me.id",
    TITLE: "†input.call.title",
    DEADLINE: "†input.call.deadline",
    CONTACT: "†state.contact.name",
    _outputPath: "†state.task",
  },
  { _tool: "task.checklistitem.add", _id: "checklist", TASK_ID: "†state.task.id", _outputPath: "†state.checklist" },
  {
    _tool: "crm.timeline.comment.add",
    _id: "comment",
    fields: { ENTITY_ID: "†state.deal.id", ENTITY_TYPE: "deal" },
    task: "†state.update && †state.task",
    _outputPath: "†state.comment",
  },
];

/** A branch, a fan-out, gates, a fallback and a delegate, for two deals in parallel. */
const raiseWithinIn = (t: PlanTexts): JsonObject[] => [
  { _tool: "crm.deal.get", _id: "get", id: "†input.deals[0].id", _outputPath: "†state.before && †state.deal" },
  {
    _tool: "checkDiscountPolicy",
    _id: "policy",
    amount: "†input.deals[0].amount",
    current: "†state.deal.amount",
    _outputPath: "†state.allowed || †state.refused",
  },
  { _tool: "crm.contact.get", _id: "contact", id: "†state.deal.contact", _outputPath: "†state.contact" },
  {
    _tool: "crm.deal.update",
    _id: "update",
    _reasoningForCall: t.withinReason,
    id: "†state.allowed && †state.before.id",
    fields: { OPPORTUNITY: "†input.deals[0].amount" },
    _outputPath: "†state.update",
  },
  { _tool: "draftRefusal", _id: "refusal", limit: "†state.refused", _outputPath: "†state.refusal" },
  {
    _tool: "tasks.task.add",
    _id: "task",
    TITLE: "†input.call.title",
    DEADLINE: "†input.call.deadline",
    CONTACT: "†state.contact.name",
    _outputPath: "†state.task",
  },
  {
    _tool: "summarize",
    _id: "summarize",
    _delegate: "summarize",
    _scopes: ["state"],
    about: "†state.contact && †state.deal",
    _outputPath: "†state.summary",
  },
  { _tool: "notifyManager", _id: "notify", text: "†state.update || †state.refusal", _outputPath: "†state.notified" },
];

/** The plans of the session in a language. */
export function plansIn(locale: Locale) {
  const t = TEXTS[locale];
  return { lookup, raise: raiseIn(t), raiseWithin: raiseWithinIn(t) };
}

/** The delegate's plan. */
export const summarize: JsonObject[] = [
  { _tool: "crm.activity.list", _id: "activities", OWNER_ID: "†input.about.id", _outputPath: "†state.items" },
  { _tool: "composeText", _id: "text", items: "†state.items", _outputPath: "†state.text" },
];
