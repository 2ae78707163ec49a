import { z } from "zod";
import type { Page } from "../../../db/repositories.ts";
import { identifier } from "../../session/catalogue.ts";
import type { SessionEvent } from "../../session/event.ts";
import { answerJson, unknownConversation } from "../answer.ts";
import { page, sessionEvent } from "../answers.ts";
import { conversationParams, numberParameter } from "../fields.ts";
import { noBody, operation } from "../operation.ts";

const MAX_EVENTS = 1_000;

/** Lists the events of a conversation, the oldest first. The cursor of a page is the seq that it comes after. */
export const listEvents = operation({
  name: "listEvents",
  permission: "read",
  method: "GET",
  path: "/api/conversations/{id}/events",
  summary: "Lists the events of a conversation, the oldest first.",
  params: conversationParams,
  query: z
    .strictObject({
      after: numberParameter(0).optional().describe("Only events with a greater seq."),
      cursor: numberParameter(0).optional(),
      limit: numberParameter(1, MAX_EVENTS).default(50),
      type: identifier.optional(),
    })
    .refine(({ after, cursor }) => after === undefined || cursor === undefined, {
      path: ["cursor"],
      error: "cannot be combined with after",
    }),
  body: noBody,
  answers: { 200: { description: "A page of events.", schema: page(sessionEvent) } },
  async run({ params: { id }, query }, { conversations, events }) {
    const { cursor, after = cursor ?? 0, limit, type } = query;
    const conversation = await conversations.get(id);
    if (!conversation) throw unknownConversation(id);
    const found = await events.list(id, { after, limit: limit + 1, type });
    return answerJson(pageOf(found, { after, limit }));
  },
});

/** One event more than the page has was asked for: it tells whether there is a next page. */
function pageOf(found: SessionEvent[], { after, limit }: { after: number; limit: number }): Page<SessionEvent> {
  const items = found.slice(0, limit);
  return {
    items,
    next: found.length > limit ? String(items.at(-1)?.seq) : null,
    prev: after > 0 ? String(Math.max(0, after - limit)) : null,
  };
}
