import { randomUUIDv7 } from "node:crypto";
import { z } from "zod";
import type { NewEvent } from "../../../../db/repositories.ts";
import { recorderOf } from "../../../access/caller.ts";
import { identifier, messageRole } from "../../../session/events/catalogue.ts";
import { jsonObject } from "../../../session/json/json-schema.ts";
import { answerJson } from "../../answers/answer.ts";
import { appendedEvents } from "../../answers/answers.ts";
import { requireAuthority, underOwnName } from "../../event-authority.ts";
import { instant } from "../../fields.ts";
import { operation } from "../../operation.ts";
import { batchBody } from "../../request/batch.ts";

/** A message in a request (E1). */
export const messageInput = z.strictObject({
  id: identifier.nullish(),
  conversation_id: identifier,
  role: messageRole,
  content: z.string(),
  name: z.string().max(200).nullish(),
  user_id: identifier.nullish(),
  created_at: instant.nullish(),
  metadata: jsonObject.nullish(),
});

/** Records a message or a batch; each is a `message.created` event with the message's id. */
export const postMessages = operation({
  name: "postMessages",
  permission: "ingest",
  method: "POST",
  path: "/api/messages",
  summary:
    "Records messages: one, an array or NDJSON, atomically. Each is stored as an event message.created with the message's id. The role operator requires the scope decide.",
  body: batchBody(messageInput, () => undefined),
  headers: { "Content-Encoding": "`gzip` or `deflate`." },
  answers: {
    201: {
      description: "The result for each message's event, in request order. The events are on disk.",
      schema: appendedEvents,
    },
  },
  async run({ body, requester: { caller } }, { log }) {
    const now = new Date().toISOString();
    const sent = body.map((message) => messageEvent(message, now));
    for (const event of sent) requireAuthority(caller, event);
    const events = sent.map((event) => underOwnName(caller, event));
    return answerJson({ events: await log.append(events, recorderOf(caller)) }, 201);
  },
});

function messageEvent(message: z.infer<typeof messageInput>, now: string): NewEvent {
  const id = message.id ?? randomUUIDv7();
  return {
    id,
    conversation_id: message.conversation_id,
    type: "message.created",
    actor: message.user_id ? `user:${message.user_id}` : null,
    agent_id: null,
    run_id: null,
    parent_run_id: null,
    caused_by: null,
    payload: {
      message_id: id,
      role: message.role,
      content: message.content,
      ...(message.name && { name: message.name }),
      ...(message.metadata && { metadata: message.metadata }),
    },
    occurred_at: message.created_at ?? now,
  };
}
