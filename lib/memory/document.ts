import { z } from "zod";
import { pointerTo } from "../plan/problem.ts";
import type { Json } from "../session/json/json.ts";
import { jsonValue } from "../session/json/json-schema.ts";
import { listOf, recordOf } from "../session/json/list.ts";
import { codeOf, type DocumentFault, type FaultCode, faultAt, unlessMissing } from "./file/document-fault.ts";

const time = z.iso.datetime({ error: unlessMissing("time") });
const id = z.union([z.int(), z.string(), z.null()], { error: unlessMissing("id") });
const flag = z.boolean().nullish();

/** An object that keeps unknown keys (M2). */
function record<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.looseObject(shape).catchall(jsonValue);
}

const doneEntry = record({
  timestamp: time,
  description: z.string(),
  object_ids: recordOf(z.string(), jsonValue),
});

/** May be missing: the self-check reports it (M10). */
const step = record({ description: z.string().nullish(), requested_at: time });

const objects = record({
  current_deal_id: id,
  current_contact_id: id,
  current_company_id: id,
  current_task_id: id,
});

const action = record({
  method: z.string().min(1, "empty" satisfies FaultCode),
  params: recordOf(z.string(), jsonValue),
  requires_confirmation: flag,
  confirmed: flag,
  confirmation_decision: z.enum(["approve", "deny"], { error: unlessMissing("decision") }).nullish(),
});

const confirmation = record({
  status: z.enum(["requested", "approved", "denied"], { error: unlessMissing("status") }),
  requested_at: time,
  approved_at: time.nullish(),
  denied_at: time.nullish(),
  description: z.string(),
  reason: z.string().nullish(),
  action,
});

const eventBinding = record({ event: z.string(), handler: z.string() });

/** A user's memory document (M2). Times are in UTC with `Z` (M3). */
export const memoryDocument = record({
  goals: listOf(z.string()),
  done: listOf(doneEntry),
  in_progress: listOf(step),
  objects,
  next_planned_actions: listOf(action),
  confirmations: recordOf(z.string(), confirmation),
  event_bindings: listOf(eventBinding),
}).describe("What the agent keeps about its work with one user.");

/** What an agent remembers about a user (M2). */
export type MemoryDocument = z.infer<typeof memoryDocument>;
export type DoneEntry = z.infer<typeof doneEntry>;
/** An entry of `in_progress`: a decision or data that is pending. */
export type Step = z.infer<typeof step>;
/** The objects that the conversation is about. */
export type Objects = z.infer<typeof objects>;
/** A planned action, or the copy in a confirmation. */
export type KeptAction = z.infer<typeof action>;
/** Not an authorization: an approval in a document grants nothing (P22a). */
export type Confirmation = z.infer<typeof confirmation>;
export type EventBinding = z.infer<typeof eventBinding>;

export type ReadDocument = { ok: true; document: MemoryDocument } | { ok: false; faults: DocumentFault[] };

/** The document of a new user. */
export function emptyDocument(): MemoryDocument {
  return {
    goals: [],
    done: [],
    in_progress: [],
    objects: { current_deal_id: null, current_contact_id: null, current_company_id: null, current_task_id: null },
    next_planned_actions: [],
    confirmations: {},
    event_bindings: [],
  };
}

/**
 * Validates a stored or imported document (M2). A valid one is returned unchanged, with unknown keys at every level and
 * the order of its keys.
 */
export function readDocument(value: Json): ReadDocument {
  if (isDocument(value)) return { ok: true, document: value };
  const { error } = memoryDocument.safeParse(value, { error: codeOf });
  const faults = error?.issues.map(({ path, message }) => faultAt(pointerTo(path.map(String)), message));
  return { ok: false, faults: faults ?? [] };
}

/** Zod's copy would move unknown keys to the end and drop one named `__proto__`. */
function isDocument(value: Json): value is MemoryDocument {
  return memoryDocument.safeParse(value).success;
}
