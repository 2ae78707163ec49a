import { randomUUIDv7 } from "node:crypto";
import { z } from "zod";
import type { NewEvent } from "../../../db/repositories.ts";
import { recorderOf } from "../../access/caller.ts";
import { pointerTo } from "../../plan/problem.ts";
import { identifier, NEEDS_RUN, PAYLOADS } from "../../session/events/catalogue.ts";
import { isEventType } from "../../session/events/kinds.ts";
import { jsonValue } from "../../session/json/json-schema.ts";
import { answerJson } from "../answers/answer.ts";
import { appendedEvents } from "../answers/answers.ts";
import { decisionsIn, requireAuthority, underOwnName } from "../event-authority.ts";
import { instant } from "../fields.ts";
import { operation } from "../operation.ts";
import { batchBody, type EntryCheck } from "../request/batch.ts";
import { check } from "../sentences.ts";

/** An event in a request (E2). */
export const eventInput = z.strictObject({
  id: identifier.nullish(),
  conversation_id: identifier,
  type: identifier,
  actor: identifier.nullish(),
  agent_id: identifier.nullish(),
  run_id: identifier.nullish(),
  parent_run_id: identifier.nullish(),
  caused_by: identifier.nullish(),
  payload: jsonValue.optional(),
  occurred_at: instant.nullish(),
});

type EventInput = z.infer<typeof eventInput>;

/** The payload of a known type must match the catalogue; unknown types are stored as they are (E2). */
const checkPayload: EntryCheck<EventInput> = (event, place, errors) => {
  if (NEEDS_RUN.has(event.type) && !event.run_id) {
    errors.push({ path: pointerTo([...place, "run_id"]), message: `is required for ${event.type}` });
  }
  if (isEventType(event.type)) check(PAYLOADS[event.type], payloadOf(event), [...place, "payload"], errors);
};

/** Appends an event or a batch, all or nothing (E11). */
export const postEvents = operation({
  name: "postEvents",
  permission: "ingest",
  method: "POST",
  path: "/api/events",
  summary:
    "Appends events to the log: one, an array or NDJSON, atomically. An unknown conversation is created; an event whose id exists changes nothing. Acts of people (confirmation.approved and .denied, conversation.taken_over and .handed_back, messages of the role operator) require the scope decide; signed-in people act under their own name.",
  body: batchBody(eventInput, checkPayload),
  headers: { "Content-Encoding": "`gzip` or `deflate`." },
  answers: {
    201: {
      description: "The result for each event, in request order. The events are on disk.",
      schema: appendedEvents,
    },
  },
  async run({ body, requester, audit }, { log, access }) {
    const now = new Date().toISOString();
    const sent = body.map((event) => newEvent(event, now));
    for (const event of sent) requireAuthority(requester.caller, event);
    const events = sent.map((event) => underOwnName(requester.caller, event));
    const appended = await log.append(events, recorderOf(requester.caller));
    const isNew = new Set(appended.filter(({ duplicate }) => !duplicate).map(({ id }) => id));
    const decisions = access.required ? decisionsIn(events.filter(({ id }) => isNew.has(id))) : [];
    await Promise.all(decisions.map(audit));
    return answerJson({ events: appended }, 201);
  },
});

function newEvent(event: EventInput, now: string): NewEvent {
  return {
    id: event.id ?? randomUUIDv7(),
    conversation_id: event.conversation_id,
    type: event.type,
    actor: event.actor ?? null,
    agent_id: event.agent_id ?? null,
    run_id: event.run_id ?? null,
    parent_run_id: event.parent_run_id ?? null,
    caused_by: event.caused_by ?? null,
    payload: payloadOf(event),
    occurred_at: event.occurred_at ?? now,
  };
}

function payloadOf({ payload }: EventInput) {
  return payload === undefined ? {} : payload;
}
