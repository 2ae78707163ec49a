import type { EventOf } from "../../event.ts";
import type { Json, JsonObject } from "../../json/json.ts";
import type { Folding } from "../../reducer/folding.ts";
import type { Summary } from "../../session.ts";
import type { Payload } from "../catalogue.ts";
import type { EventIndexColumns } from "../event-index-columns.ts";
import type { EventType } from "../kinds.ts";

/**
 * The definition of an event type, besides its name and kind (`kinds.ts`) and its payload (`catalogue.ts`). The
 * reducer, the list's rows, the index columns, search, erasure, redaction, permissions and the engine use it. Every
 * property is required, `null` for none, so that an incomplete definition does not compile.
 */
export interface EventDefinition<T extends EventType> {
  /** What a program needs in order to record it. */
  readonly authority: AuthorityRule;
  /** The parts of the payload that an erasure keeps; everything else is content. */
  readonly structure: StructureOf<Payload<T>>;
  /** The index columns from its payload: see `EventIndexColumns`. */
  readonly columns: ((payload: Payload<T>) => Partial<EventIndexColumns>) | null;
  /** Fields of the payload that are not indexed for search. */
  readonly unsearched: "all" | readonly string[];
  /** How it changes the session. */
  readonly fold: ((folding: Folding, event: EventOf<T>) => void) | null;
  /** Updates the conversation's row in the list; `summary` is a copy and may be mutated. */
  readonly summarize: ((summary: Summary, event: EventOf<T>) => void) | null;
  /** The kind of stop for "previous" and "next" in the timeline, besides single steps. */
  readonly stop: "call" | "message" | "run" | "approval" | "alert" | null;
  /** Whether the engine's run depends on it: `RunState.apply` handles it. */
  readonly steers: boolean;
  /** Whether later events of the run may name it as their cause (`caused_by`). False for annotations. */
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

/** Replaces a required text. */
export const ERASED = "[erased]";

/**
 * What an erasure keeps of a field. `kept` and `id` are structure: kinds, counts, names of tools and models, and
 * references; an id is renamed if it contains a person's name. `agent` and `key` are of agent state. `actor` is who did
 * it, `failure` only keeps its code. `put` replaces required content.
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

/** The rules of a payload's fields. Fields without a rule are content, and are removed. */
type StructureOf<P> = Json extends P ? FieldRules : { readonly [K in keyof P]?: FieldRule };

/** The identity of a call: part of many payloads. */
export const PLACE = { call_id: "id", iteration: "kept", instance: "id" } as const;

/** For a type that is recorded and shown, and has no other effect. */
export const RECORDED = {
  columns: null,
  unsearched: [],
  fold: null,
  summarize: null,
  stop: null,
  steers: false,
  causes: true,
} as const;

/** The columns of a payload that identifies a call. */
export function callColumns(place: {
  call_id?: string | undefined;
  iteration?: number | undefined;
  instance?: string | undefined;
}): Partial<EventIndexColumns> {
  const { call_id, iteration, instance } = place;
  return { call_id: call_id ?? null, iteration: iteration ?? null, instance: instance ?? null };
}
