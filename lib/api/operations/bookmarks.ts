import { randomUUIDv7 } from "node:crypto";
import { z } from "zod";
import { actorOf, type Requester, recorderOf } from "../../access/caller.ts";
import type { Services } from "../../server/services.ts";
import { type Bookmark, LONGEST_NOTE } from "../../session/bookmarks.ts";
import type { Payload } from "../../session/catalogue.ts";
import type { JsonObject } from "../../session/json.ts";
import { answerJson, unknownConversation } from "../answer.ts";
import { problem } from "../answers.ts";
import { conversationParams, numberParameter } from "../fields.ts";
import { noBody, noQuery, operation, optionalJsonBody } from "../operation.ts";
import { Problem } from "../problem.ts";

const bookmark = z.object({
  seq: z.int(),
  note: z.string().nullable(),
  by: z.string().nullable(),
  at: z.iso.datetime(),
  set_seq: z.int(),
}) satisfies z.ZodType<Bookmark>;

const stepParams = conversationParams.extend({ seq: numberParameter(1) });

const unknown = {
  404: { description: "There is no such conversation.", type: "application/problem+json", schema: problem },
};

/** Lists the bookmarked steps of a conversation. */
export const listBookmarks = operation({
  name: "listBookmarks",
  permission: "read",
  method: "GET",
  path: "/api/conversations/{id}/bookmarks",
  summary: "Lists the bookmarked steps of a conversation with their notes, in the order of the steps.",
  params: conversationParams,
  query: noQuery,
  body: noBody,
  answers: { 200: { description: "All of them.", schema: z.object({ items: z.array(bookmark) }) }, ...unknown },
  async run({ params: { id } }, { sessions }) {
    const items = await sessions.bookmarks(id);
    if (items === null) throw unknownConversation(id);
    return answerJson({ items });
  },
});

/** Bookmarks a step, or changes its note. */
export const putBookmark = operation({
  name: "putBookmark",
  permission: "operate",
  method: "PUT",
  path: "/api/conversations/{id}/bookmarks/{seq}",
  summary: "Bookmarks a step, or changes its note. The bookmark is kept in the conversation's log.",
  params: stepParams,
  query: noQuery,
  body: optionalJsonBody(
    z.strictObject({ note: z.string().trim().max(LONGEST_NOTE).optional().describe("None where it is missing.") }),
  ),
  answers: {
    200: { description: "The bookmark, set now or before.", schema: bookmark },
    400: { description: "There is no such step.", type: "application/problem+json", schema: problem },
    ...unknown,
  },
  async run({ params: { id, seq }, body, requester }, services) {
    const note = body.note || null;
    const known = await bookmarkAt(id, seq, services);
    if (known?.note === note) return answerJson(known);
    const payload = { seq, ...(note !== null && { note }) };
    await append({ type: "conversation.bookmarked", conversation_id: id, payload }, requester, services);
    return answerJson(await bookmarkAt(id, seq, services));
  },
});

/** Takes a bookmark away. */
export const deleteBookmark = operation({
  name: "deleteBookmark",
  permission: "operate",
  method: "DELETE",
  path: "/api/conversations/{id}/bookmarks/{seq}",
  summary: "Takes a step's bookmark away; where there is none, nothing changes.",
  params: stepParams,
  query: noQuery,
  body: noBody,
  answers: {
    204: { description: "The step has no bookmark." },
    400: { description: "There is no such step.", type: "application/problem+json", schema: problem },
    ...unknown,
  },
  async run({ params: { id, seq }, requester }, services) {
    if (await bookmarkAt(id, seq, services))
      await append({ type: "conversation.unbookmarked", conversation_id: id, payload: { seq } }, requester, services);
    return new Response(null, { status: 204 });
  },
});

/** The bookmark of a step; undefined for none. Throws where there is no such conversation, or no such step. */
async function bookmarkAt(id: string, seq: number, services: Services): Promise<Bookmark | undefined> {
  const conversation = await services.conversations.get(id);
  if (!conversation) throw unknownConversation(id);
  if (seq > conversation.last_seq)
    throw new Problem("out_of_range", `The session has steps 0 to ${conversation.last_seq}; bookmark one of them.`);
  return (await services.sessions.bookmarks(id))?.find((one) => one.seq === seq);
}

async function append<T extends "conversation.bookmarked" | "conversation.unbookmarked">(
  event: { type: T; conversation_id: string; payload: Payload<T> & JsonObject },
  { caller }: Requester,
  { log }: Services,
): Promise<void> {
  const nobody = { agent_id: null, run_id: null, parent_run_id: null, caused_by: null };
  const told = { ...nobody, ...event, id: randomUUIDv7(), actor: actorOf(caller), occurred_at: null };
  await log.append([told], recorderOf(caller));
}
