import type { NewEvent } from "../../db/repositories.ts";
import type { ExportedNote } from "../notes/note.ts";
import type { ExportedScore } from "../scores/score.ts";
import type { Bookmark } from "../session/bookmarks.ts";
import { NEEDS_RUN, PAYLOADS, type Payload } from "../session/events/catalogue.ts";
import { type EventType, isEventType } from "../session/events/kinds.ts";
import { sentence } from "../session/issues.ts";
import type { Json, JsonObject } from "../session/json/json.ts";

/** A conversation with all its events, to be stored. */
export interface ImportedConversation {
  conversation_id: string;
  events: NewEvent[];
  /** Its bookmarks. */
  bookmarks?: Bookmark[];
  /** Its scores. */
  scores?: ExportedScore[];
  /** Its notes. */
  notes?: ExportedNote[];
  /** The ids of its events are derived from spans, as those of OTLP are. */
  isDerived?: boolean;
}

/** The optional fields of an event; null by default. */
export type EventFields = Pick<NewEvent, "id"> & Partial<Omit<NewEvent, "id" | "type" | "payload">>;

/** Creates an event with a typed payload. */
export function newEvent<T extends EventType>(
  type: T,
  payload: Payload<T> & JsonObject,
  fields: EventFields,
): NewEvent {
  return {
    conversation_id: null,
    actor: null,
    agent_id: null,
    run_id: null,
    parent_run_id: null,
    caused_by: null,
    occurred_at: null,
    ...fields,
    type,
    payload,
  };
}

/** An error in an event: its path, and a sentence. */
export interface EventProblem {
  path: PropertyKey[];
  message: string;
}

/**
 * Validates an event: the payload against the catalogue, and that `run.*` has a run (E2). Unknown types may have any
 * payload.
 */
export function eventProblems(event: { type: string; run_id?: string | null; payload: Json }): EventProblem[] {
  const problems: EventProblem[] = [];
  if (NEEDS_RUN.has(event.type) && !event.run_id) {
    problems.push({ path: ["run_id"], message: `is required for ${event.type}; add it` });
  }
  if (!isEventType(event.type)) return problems;
  const checked = PAYLOADS[event.type].safeParse(event.payload, { error: sentence });
  for (const { path, message } of checked.error?.issues ?? []) problems.push({ path: ["payload", ...path], message });
  return problems;
}
