import type { SessionEvent } from "../event.ts";
import { DEFINITIONS } from "../events/definitions.ts";
import { ERASED, type FieldRule } from "../events/families/family.ts";
import { isEventType } from "../events/kinds.ts";
import { isJsonObject, type Json, type JsonObject } from "../json/json.ts";

/** The actor that replaces an erased user. */
const ERASED_USER = "user:erased";

/** Replaces names of people in what has to stay. */
export interface Renames {
  /** For ids chosen by agents: `telegram:42:7`. */
  id(value: string): string;
  /** For agents whose state belongs to a person: `memory:alice`. */
  agent(value: string): string;
  /** For keys of agent state. */
  key(value: string): string;
}

/** Replaces each of the names by the alias as a whole word; in agents and keys, as a whole part. */
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
 * An event without content and personal data: it keeps its position, type, times and references, and reduces as before
 * (E6). Idempotent.
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
    payload: isEventType(event.type) ? fieldsOf(event.payload, DEFINITIONS[event.type].structure, renames) : {},
  };
}

function renamed(id: string | null, renames: Renames): string | null {
  return id === null ? null : renames.id(id);
}

function fieldsOf(
  value: Json,
  rules: { readonly [name: string]: FieldRule | undefined },
  renames: Renames,
): JsonObject {
  const kept: JsonObject = {};
  if (!isJsonObject(value)) return kept;
  for (const [name, rule] of Object.entries(rules)) {
    const field = value[name];
    if (field !== undefined && rule !== undefined) kept[name] = keptOf(field, rule, renames);
  }
  return kept;
}

function keptOf(value: Json, rule: FieldRule, renames: Renames): Json {
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

/** Agents, tools and operators stay; other actors may be names of people. */
function actorOf(actor: string, renames: Renames): string {
  if (actor.startsWith("user:")) return ERASED_USER;
  if (/^(agent|tool|operator|key):/.test(actor)) return renames.agent(actor);
  return actor === "system" ? actor : "erased";
}
