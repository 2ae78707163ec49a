import { z } from "zod";
import type { Page } from "../../../../db/repositories.ts";
import type { SessionEvent } from "../../../session/event.ts";
import { identifier } from "../../../session/events/catalogue.ts";
import { answerJson, unknownConversation } from "../../answers/answer.ts";
import { page, sessionEvent } from "../../answers/answers.ts";
import { conversationParams, numberParameter } from "../../fields.ts";
import { operation } from "../../operation.ts";

const MAX_EVENTS = 1_000;

/** Lists the events of a conversation, oldest first. A page's cursor is the seq before it: clients go on with `after`, too. */
export const listEvents = operation({
  name: "listEvents",
  permission: "read",
  method: "GET",
  path: "/api/conversations/{id}/events",
  summary:
    "Lists the events of a conversation, oldest first. A page of large events may have fewer than `limit`; `next` says whether there are more.",
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
  answers: { 200: { description: "A page of events.", schema: page(sessionEvent) } },
  async run({ params: { id }, query }, { conversations, events }) {
    const { cursor, after = cursor ?? 0, limit, type } = query;
    const conversation = await conversations.get(id);
    if (!conversation) throw unknownConversation(id);
    const items = await events.list(id, { after, limit, type });
    const last = items.at(-1)?.seq ?? conversation.last_seq;
    const page: Page<SessionEvent> = {
      items,
      next: (await hasMore(last)) ? String(last) : null,
      prev: after > 0 ? String(Math.max(0, after - limit)) : null,
    };
    return answerJson(page);

    /** A page has fewer events than requested if they are large. */
    async function hasMore(seq: number): Promise<boolean> {
      if (conversation === null || seq >= conversation.last_seq) return false;
      return type === undefined || (await events.list(id, { after: seq, limit: 1, type })).length > 0;
    }
  },
});
