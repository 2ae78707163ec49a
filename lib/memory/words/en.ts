import type { ListKind, ObjectKind } from "../actions/methods.ts";
import { type Forms, pluralOf } from "./plural.ts";
import type { Change, Named, Words } from "./words.ts";

const OBJECTS: Record<ObjectKind, string> = {
  deal: "deal",
  contact: "contact",
  company: "company",
  activity: "activity",
  task: "task",
  comment: "comment",
  checklist_item: "checklist item",
};

const LISTS: Record<ListKind, Forms> = {
  deal: { one: "deal", other: "deals" },
  contact: { one: "contact", other: "contacts" },
  company: { one: "company", other: "companies" },
  activity: { one: "activity", other: "activities" },
  task: { one: "task", other: "tasks" },
  category: { one: "pipeline", other: "pipelines" },
  stage: { one: "pipeline stage", other: "pipeline stages" },
  status: { one: "reference value", other: "reference values" },
  group: { one: "group", other: "groups" },
  member: { one: "group member", other: "group members" },
};

const COMMANDS = { one: "command", other: "commands" };
const HOURS = { one: "hour", other: "hours" };
const DAYS = { one: "day", other: "days" };
const STEPS = { one: "step", other: "steps" };

export const en: Words = {
  fields: {
    ASSIGNED_BY_ID: "responsible person",
    BEGINDATE: "start date",
    CATEGORY_ID: "pipeline",
    CLOSEDATE: "closing date",
    COMMENT: "text",
    COMMENTS: "comments",
    COMPANY_ID: "company",
    COMPLETED: "completed",
    CONTACT_ID: "contact",
    CURRENCY_ID: "currency",
    DEADLINE: "deadline",
    DESCRIPTION: "description",
    EMAIL: "email",
    LAST_NAME: "last name",
    NAME: "name",
    OPPORTUNITY: "amount",
    PHONE: "phone",
    POST_MESSAGE: "text",
    PRIORITY: "priority",
    PROBABILITY: "probability",
    RESPONSIBLE_ID: "responsible person",
    SOURCE_ID: "source",
    STAGE_ID: "stage",
    STATUS: "status",
    SUBJECT: "subject",
    TITLE: "title",
  },
  quoted: (text) => `“${text}”`,

  created: (object, owner) => `${isPart(object.kind) ? "Added" : "Created"} ${named(object)}${of(object, owner)}`,
  changed: (object, fields) => `Changed ${named(object)}${fields.length > 0 ? `: ${fields.join(", ")}` : ""}`,
  viewed: (kind, count) => `Viewed ${counted(count, LISTS[kind])}`,
  bound: (event) => `Subscribed to the event ${event}`,
  unbound: (event) => `Unsubscribed from the event ${event}`,
  ranBatch: (count) => `Carried out a batch of ${counted(count, COMMANDS)}`,
  carriedOut: (method) => `Carried out ${method}`,

  create: (kind, owner, fields) =>
    `${isPart(kind) ? "Add" : "Create"} ${article(kind)} ${OBJECTS[kind]}${of({ kind, id: null }, owner)}${listed(fields)}`,
  change: (object, fields) => `Change ${named(object)}${listed(fields)}`,
  changeOf: {
    OPPORTUNITY: (object, value) => `Change the amount of ${named(object)} to ${value}`,
    DEADLINE: (object, value) => `Move the deadline of ${named(object)} to ${value}`,
    STAGE_ID: (object, value) => `Move ${named(object)} to the stage ${value}`,
    CATEGORY_ID: (object, value) => `Move ${named(object)} to the pipeline ${value}`,
    ASSIGNED_BY_ID: (object, value) => `Make user ${value} responsible for ${named(object)}`,
    RESPONSIBLE_ID: (object, value) => `Make user ${value} responsible for ${named(object)}`,
  },
  empty: (object, field) => `Empty the ${field} of ${named(object)}`,
  bind: (event, handler) => `Subscribe ${handler} to the event ${event}`,
  unbind: (event, handler) => `Unsubscribe ${handler} from the event ${event}`,
  runBatch: (count, commands) => `Carry out a batch of ${counted(count, COMMANDS)}: ${commands.join("; ")}`,
  carryOut: (method, params) => `Carry out ${method}${listed(params)}`,
  unreadable: "a command that cannot be read",

  noGoals: "There are no goals. State what is to be achieved.",
  noObjects:
    "Objects were created or viewed, but no current deal, contact, company or task is selected. State which one this is about.",
  overdue: (description, hours) =>
    `“${description}” has waited for a decision for ${hours < 48 ? counted(hours, HOURS) : counted(Math.floor(hours / 24), DAYS)}. Approve or deny it.`,
  nameless: (count) => `${counted(count, STEPS)} in progress without a description. State what is pending.`,
  madeOrViewed: /\b(created|added|viewed)\b/i,

  awaited: "Waiting for approval:",
  asked: (description, key, since) => `${description} (${key}, since ${since})`,
  goals: "Goals:",
  known: (objects) => `Current: ${objects.map(named).join(", ")}`,
  done: "Done last:",
};

function named({ kind, id }: Named): string {
  return id === null ? `${article(kind)} ${OBJECTS[kind]}` : `${OBJECTS[kind]} ${id}`;
}

/** Whether it is added to another object. */
function isPart(kind: ObjectKind): boolean {
  return kind === "comment" || kind === "checklist_item";
}

function article(kind: ObjectKind): string {
  return kind === "activity" ? "an" : "a";
}

function of({ kind }: Named, owner: Named | null): string {
  if (!owner) return "";
  return ` ${kind === "activity" ? "for" : "to"} ${named(owner)}`;
}

function listed(changes: Change[]): string {
  if (changes.length === 0) return "";
  return `: ${changes.map(({ field, value }) => `${field} ${value ?? "—"}`).join(", ")}`;
}

function counted(count: number, forms: Forms): string {
  return `${count} ${pluralOf("en", count, forms)}`;
}
