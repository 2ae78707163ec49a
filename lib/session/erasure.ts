import type { Payload } from "./catalogue.ts";
import type { SessionEvent } from "./event.ts";
import { isJsonObject, type Json, type JsonObject } from "./json.ts";
import { type EventType, isEventType } from "./kinds.ts";

/** What stands where a text was that had to be one. */
export const ERASED = "[erased]";

/** What an erased user is called as an actor. */
const ERASED_USER = "user:erased";

/**
 * What stays of a field. `kept` and `id` are structure: kinds, counts, names of tools and models, and what events are tied
 * together by; an id is renamed where it tells a person's name. `agent` and `key` are where agents' state stands. `actor`
 * is whoever did it, `failure` keeps its code alone. `put` stands for content that a payload cannot do without.
 */
export type Rule =
  | "kept"
  | "id"
  | "agent"
  | "key"
  | "actor"
  | "failure"
  | { put: Json }
  | { of: Fields }
  | { each: Fields };
type Fields = Readonly<Record<string, Rule>>;

/** The rules of a payload: for the fields that it has, and no others. Content is what has no rule, and goes. */
type RulesOf<P> = Json extends P ? Fields : { readonly [K in keyof P]?: Rule };

const PLACE = { call_id: "id", iteration: "kept", instance: "id" } as const;
const RUN = { ...PLACE, error: "failure", delegate: "kept", mode: "kept" } as const;
const MODEL = {
  model: "kept",
  provider: "kept",
  input_tokens: "kept",
  output_tokens: "kept",
  iteration: "kept",
  error: "failure",
} as const;
const CALL = {
  ...PLACE,
  tool: "kept",
  error: "failure",
  handled: "kept",
  attempt: "kept",
  delay_ms: "kept",
  branch: "kept",
  confirmation_id: "id",
  planned: "kept",
  recorded: { of: { conversation_id: "id", seq: "kept" } },
  closing: { of: { error: "failure", escalated: "kept" } },
} as const;
const ACTION = { of: { method: "kept", params: { put: {} } } } as const;
const DECISION = { confirmation_id: "id", ...PLACE, action: ACTION, cause: "kept", decided_by: "actor" } as const;
const DELEGATE = { delegate: "kept", ...PLACE, error: "failure" } as const;
const STATE = { agent_id: "agent", key: "key", version: "kept" } as const;
const SPEAKER = {
  of: {
    agent_id: "kept",
    node: "kept",
    instructions: { put: "" },
    allowed_tools: "kept",
    mode: "kept",
    history: { of: { source: "kept", locale: "kept" } },
    max_iterations: "kept",
    silent: "kept",
  },
} as const;

/**
 * What of each type's payload is structure, and outlives an erasure; all else is content (E2). A field that comes to a
 * payload later is content until it stands here.
 */
export const STRUCTURE: { readonly [T in EventType]: RulesOf<Payload<T>> } = {
  "conversation.created": {
    channel: "kept",
    agent_id: "agent",
    forked_from: { of: { conversation_id: "id", seq: "kept" } },
    origin: { of: { conversation_id: "id" } },
  },
  "conversation.titled": { title: { put: ERASED } },
  "conversation.taken_over": {},
  "conversation.handed_back": {},
  "conversation.bookmarked": { seq: "kept" },
  "conversation.unbookmarked": { seq: "kept" },
  "fork.mode_changed": { mode: "kept" },
  "message.created": { message_id: "id", role: "kept", content: { put: ERASED }, tool_call_id: "id" },
  "run.started": {
    ...RUN,
    confirm: "kept",
    concurrency: "kept",
    max_iterations: "kept",
    budget: "kept",
    allowed_tools: "kept",
    queued: "kept",
    simulated: "kept",
    continues: "id",
    answers: "id",
    directed: "kept",
    locale: "kept",
  },
  "run.iteration": { ...RUN, speaker: SPEAKER },
  "run.waiting": RUN,
  "run.resumed": { ...RUN, calls: { each: PLACE }, queued: "kept" },
  "run.finished": RUN,
  "run.failed": RUN,
  "run.cancelled": RUN,
  "prompt.rendered": { prompt: { put: ERASED }, ...PLACE, tokens: "kept", budget: "kept" },
  "history.truncated": {},
  "placeholder.missing": { names: { put: [] }, iteration: "kept" },
  "model.requested": MODEL,
  "model.responded": MODEL,
  "model.failed": MODEL,
  "plan.proposed": { iteration: "kept", calls: { each: { _tool: "kept", _id: "id", _instance: "id" } } },
  "plan.validated": { iteration: "kept" },
  "plan.rejected": { iteration: "kept" },
  "plan.simulated": { iteration: "kept" },
  "call.started": CALL,
  "call.succeeded": CALL,
  "call.failed": CALL,
  "call.retried": CALL,
  "call.skipped": CALL,
  "call.blocked": CALL,
  "call.parked": CALL,
  "call.denied": CALL,
  "call.superseded": CALL,
  "call.cancelled": CALL,
  "state.written": { ...PLACE, path: { put: "†state.erased" }, value: { put: null } },
  "memory.updated": { delta: { put: [] }, version: "kept" },
  "selfcheck.warned": { warnings: { put: [] } },
  "confirmation.requested": { ...DECISION, key: { put: ERASED } },
  "confirmation.approved": DECISION,
  "confirmation.denied": DECISION,
  "stage.entered": { node: "kept", agent_id: "kept" },
  "stage.changed": { from: "kept", to: "kept" },
  "manager.alerted": { text: { put: ERASED } },
  "delegate.started": DELEGATE,
  "delegate.finished": DELEGATE,
  "agent_state.written": { ...STATE, value: { put: null } },
  "agent_state.deleted": STATE,
  log: {},
};

/** How names of people are taken out of what has to stay. */
export interface Renames {
  /** Of ids that agents chose: `telegram:42:7`. */
  id(value: string): string;
  /** Of agents whose state is one person's: `memory:alice`. */
  agent(value: string): string;
  /** Of what the agents' state stands under. */
  key(value: string): string;
}

/** Each of the names becomes the alias where it stands as a whole word; of agents and keys, as a whole part. */
export function renamesOf(names: readonly string[], alias: string): Renames {
  const any = names.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&")).join("|");
  const replacing = (pattern: string) => {
    if (names.length === 0) return (value: string) => value;
    const regex = new RegExp(pattern, "gu");
    return (value: string) => value.replaceAll(regex, alias);
  };
  return {
    id: replacing(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`),
    agent: replacing(`(?<=:)(?:${any})(?=$|:)`),
    key: replacing(`(?<=^|[:/])(?:${any})(?=$|[:/])`),
  };
}

/**
 * An event without what people said, what was done for them and who they are: it keeps its place, its type, its times and
 * what it is tied to, and folds as before (E6). Erased again it stays the same.
 */
export function eraseEvent(event: SessionEvent, renames: Renames): SessionEvent {
  return {
    ...event,
    id: renames.id(event.id),
    conversation_id: renamed(event.conversation_id, renames),
    actor: event.actor === null ? null : actorOf(event.actor, renames),
    agent_id: event.agent_id === null ? null : renames.agent(event.agent_id),
    run_id: renamed(event.run_id, renames),
    parent_run_id: renamed(event.parent_run_id, renames),
    caused_by: renamed(event.caused_by, renames),
    payload: isEventType(event.type) ? fieldsOf(event.payload, STRUCTURE[event.type], renames) : {},
  };
}

function renamed(id: string | null, renames: Renames): string | null {
  return id === null ? null : renames.id(id);
}

function fieldsOf(value: Json, rules: { readonly [name: string]: Rule | undefined }, renames: Renames): JsonObject {
  const kept: JsonObject = {};
  if (!isJsonObject(value)) return kept;
  for (const [name, rule] of Object.entries(rules)) {
    const field = value[name];
    if (field !== undefined && rule !== undefined) kept[name] = keptOf(field, rule, renames);
  }
  return kept;
}

function keptOf(value: Json, rule: Rule, renames: Renames): Json {
  if (typeof rule === "object") {
    if ("put" in rule) return rule.put;
    if ("of" in rule) return fieldsOf(value, rule.of, renames);
    return Array.isArray(value) ? value.map((one) => fieldsOf(one, rule.each, renames)) : [];
  }
  switch (rule) {
    case "kept":
      return value;
    case "id":
      return mapText(value, renames.id);
    case "agent":
      return mapText(value, renames.agent);
    case "key":
      return mapText(value, renames.key);
    case "actor":
      return mapText(value, (actor) => actorOf(actor, renames));
    case "failure":
      return isJsonObject(value) ? { code: value.code ?? "", message: ERASED } : ERASED;
    default:
      return rule satisfies never;
  }
}

function mapText(value: Json, map: (text: string) => string): Json {
  return typeof value === "string" ? map(value) : value;
}

/** Agents, tools and operators stay; what else an actor is called may be a person's name. */
function actorOf(actor: string, renames: Renames): string {
  if (actor.startsWith("user:")) return ERASED_USER;
  if (/^(agent|tool|operator|key):/.test(actor)) return renames.agent(actor);
  return actor === "system" ? actor : "erased";
}
