import { randomUUIDv7 } from "node:crypto";
import { z } from "zod";
import { recorderOf } from "../../../access/caller.ts";
import { identifier } from "../../../session/events/catalogue.ts";
import { jsonObject } from "../../../session/json/json-schema.ts";
import { answerJson } from "../../answers/answer.ts";
import { conversation } from "../../answers/answers.ts";
import { requireAuthority } from "../../event-authority.ts";
import { jsonBody, operation } from "../../operation.ts";

const conversationInput = z.strictObject({
  id: identifier.optional(),
  title: z.string().max(500).optional(),
  channel: z.string().max(100).optional(),
  user_id: identifier.optional(),
  agent_id: identifier.optional(),
  metadata: jsonObject.optional(),
});

/** Creates a conversation with its first event; an existing one is not changed. */
export const createConversation = operation({
  name: "createConversation",
  permission: "ingest",
  method: "POST",
  path: "/api/conversations",
  summary: "Creates a conversation. If the id exists, returns the existing conversation unchanged.",
  body: jsonBody(conversationInput),
  answers: {
    201: { description: "The new conversation.", schema: conversation },
    200: { description: "The conversation already existed.", schema: conversation },
  },
  async run({ body: { id = randomUUIDv7(), ...payload }, requester: { caller } }, { log, conversations }) {
    const event = {
      id: randomUUIDv7(),
      conversation_id: id,
      type: "conversation.created",
      actor: null,
      agent_id: null,
      run_id: null,
      parent_run_id: null,
      caused_by: null,
      payload,
      occurred_at: new Date().toISOString(),
    };
    requireAuthority(caller, event);
    const { created } = await log.createConversation(event, recorderOf(caller));
    const row = await conversations.get(id);
    if (!row) throw new Error(`The conversation ${id} was created and is not there`);
    return answerJson(row, created ? 201 : 200, { location: `/api/conversations/${encodeURIComponent(id)}` });
  },
});
