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
  /** How it changes the conversation's row in the list; the summary is a copy that may be changed. */
  readonly summarize: ((summary: Summary, event: EventOf<T>) => void) | null;
  /** As what "previous" and "next" of the timeline come to it, beside going step by step. */
  readonly stop: "call" | "message" | "run" | "approval" | "alert" | null;
  /** The course of the engine's run depends on it: `RunState.apply` takes it in. */
  readonly steers: boolean;
  /** In a run, what follows may come of it (`caused_by`). False for remarks. */
  readonly causes: boolean;
}

/** The definitions of some event types. */
export type Family<T extends EventType> = { readonly [K in T]: EventDefinition<K> };

/**
 * What telling of something asks of a program: `ingest` for what agents elsewhere do and what their users say, `decide` for
 * what tells of a person's act here, or of what only this server knows; `operate`, which no key has, for what belongs to
 * somebody else. The question is what a program that has `ingest` alone could cause by it: on people, on agents of this
 * server, or on what others have written.
 */
export const AUTHORITIES = ["ingest", "decide", "operate"] as const;
export type Authority = (typeof AUTHORITIES)[number];

/** What is told, as far as it matters to whoever may tell it. */
export interface AuthorizedEvent {
  id: string;
  conversation_id: string | null;
  type: string;
  actor: string | null;
  payload: Json;
  /** Its ids were made here, of spans or of a stream of AG-UI. Otherwise they are those that somebody sent. */
  isDerived?: boolean;
}

/** What a type asks by itself, or by what its payload says. */
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
