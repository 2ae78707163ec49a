import type { NewEvent } from "../../db/repositories.ts";
import type { Bookmark } from "../session/bookmarks.ts";
import { NEEDS_RUN, PAYLOADS, type Payload } from "../session/catalogue.ts";
import { sentence } from "../session/issues.ts";
import type { Json, JsonObject } from "../session/json/json.ts";
import { type EventType, isEventType } from "../session/kinds.ts";

/** A conversation with all its events, on its way into the log. */
export interface ImportedConversation {
  conversation_id: string;
  events: NewEvent[];
  /** The steps that people have marked in it. */
  bookmarks?: Bookmark[];
  /** The ids of its events were made of spans, as those of spans that come by OTLP are. */
  isDerived?: boolean;
}

/** What an event has beside its type and payload; what is left out is null. */
export type EventFields = Pick<NewEvent, "id"> & Partial<Omit<NewEvent, "id" | "type" | "payload">>;

/** Makes an event of the catalogue; the compiler holds the payload to its type. */
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

/** Something wrong with an event: where in it, and a sentence. */
export interface EventProblem {
  path: PropertyKey[];
  message: string;
}

/** Checks what the catalogue asks of an event: its payload, and that a `run.*` names its run (E2). An unknown type may hold anything. */
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
