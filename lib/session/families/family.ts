import type { Payload } from "../catalogue.ts";
import type { EventOf } from "../event.ts";
import type { EventIndexColumns } from "../event-index-columns.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type { EventType } from "../kinds.ts";
import type { Folding } from "../reducer/folding.ts";
import type { Summary } from "../session.ts";

/**
 * What an event type means, beside its name and kind (`kinds.ts`) and its payload (`catalogue.ts`). The reducer, the list's
 * rows, the columns of the index, search, erasure, redaction, permissions and the engine read it from here. Every part has to
 * be answered, by `null` where there is nothing: a type that leaves one out does not compile.
 */
export interface EventDefinition<T extends EventType> {
  /** What a program needs in order to record it. */
  readonly authority: AuthorityRule;
  /** What of the payload outlives an erasure; all else is content. */
  readonly structure: StructureOf<Payload<T>>;
  /** The index columns that its payload fills: see `EventIndexColumns`. */
  readonly columns: ((payload: Payload<T>) => Partial<EventIndexColumns>) | null;
  /** Fields of the payload that the search of all conversations leaves out. */
  readonly unsearched: "all" | readonly string[];
  /** How it changes the session. */
  readonly fold: ((folding: Folding, event: EventOf<T>) => void) | null;
  /** Updates the conversation's row in the list; `summary` is a copy and may be mutated. */
  readonly summarize: ((summary: Summary, event: EventOf<T>) => void) | null;
  /** The kind of stop at which "previous" and "next" of the timeline halt, beside single steps. */
  readonly stop: "call" | "message" | "run" | "approval" | "alert" | null;
  /** Whether the engine's run depends on it: `RunState.apply` handles it. */
  readonly steers: boolean;
  /** Whether later events of the run may name it as their cause (`caused_by`). False for remarks. */
  readonly causes: boolean;
}

/** The definitions of some event types. */
export type Family<T extends EventType> = { readonly [K in T]: EventDefinition<K> };

/**
 * The permission that a program needs to record an event: `ingest` for what external agents do and their users say; `decide`
 * for what records a person's act here, or what only this server knows; `operate`, which no key has, for what belongs to
 * others. The criterion: what a program with `ingest` alone could cause by it, to people, to agents of this server, or to
 * what others have written.
 */
export const AUTHORITIES = ["ingest", "decide", "operate"] as const;
export type Authority = (typeof AUTHORITIES)[number];

/** The fields of an event on which its permission depends. */
export interface AuthorizedEvent {
  id: string;
  conversation_id: string | null;
  type: string;
  actor: string | null;
  payload: Json;
  /** Its ids were generated here, from spans or an AG-UI stream; otherwise the client sent them. */
  isDerived?: boolean;
}

/** The permission of an event type, or a function of the payload. */
export type AuthorityRule = Authority | ((payload: JsonObject, event: AuthorizedEvent) => Authority);

/** What stands where a text was that had to be one. */
export const ERASED = "[erased]";

/**
 * What stays of a field in an erasure. `kept` and `id` are structure: kinds, counts, names of tools and models, and what
 * events are tied together by; an id is renamed where it tells a person's name. `agent` and `key` are where agents' state
 * stands. `actor` is whoever did it, `failure` keeps its code alone. `put` stands for content that a payload cannot do
 * without.
 */
export type FieldRule =
  | "kept"
  | "id"
  | "agent"
  | "key"
  | "actor"
  | "failure"
  | { put: Json }
  | { of: FieldRules }
  | { each: FieldRules };
type FieldRules = Readonly<Record<string, FieldRule>>;

/** The rules of a payload: for the fields that it has, and no others. Content is what has no rule, and goes. */
type StructureOf<P> = Json extends P ? FieldRules : { readonly [K in keyof P]?: FieldRule };

/** Where a call stands: part of many payloads. */
export const PLACE = { call_id: "id", iteration: "kept", instance: "id" } as const;

/** The answer of a type that is recorded and shown, and that nothing else depends on. */
export const RECORDED = {
  columns: null,
  unsearched: [],
  fold: null,
  summarize: null,
  stop: null,
  steers: false,
  causes: true,
} as const;

/** The columns of what names a call. */
export function callColumns(place: {
  call_id?: string | undefined;
  iteration?: number | undefined;
  instance?: string | undefined;
}): Partial<EventIndexColumns> {
  const { call_id, iteration, instance } = place;
  return { call_id: call_id ?? null, iteration: iteration ?? null, instance: instance ?? null };
}
