import { z } from "zod";
import type { ConversationPage } from "../../../../db/repositories.ts";
import { QUEUE_VIEWS } from "../../../queue/queue.ts";
import { parseScoreFilter } from "../../../scores/score.ts";
import { identifier } from "../../../session/catalogue.ts";
import { answerJson } from "../../answers/answer.ts";
import { conversation, conversationStatus, page } from "../../answers/answers.ts";
import { cursor, instant, limit } from "../../fields.ts";
import { operation } from "../../operation.ts";
import { happenedFilters } from "./happened.ts";
import { listQuery } from "./list-query.ts";

/** A page of conversations. */
export const conversations = page(conversation).extend({
  behind: z.int().optional().describe("Events that are not indexed for search yet, up to 10,000."),
}) satisfies z.ZodType<ConversationPage>;

const filter = z.string().min(1, "must not be empty").max(200);

/** The filters of the list. */
export const conversationFilters = {
  q: z.string().max(500).optional().describe("Words to find in a message, an event, the title or the id."),
  channel: filter.optional(),
  status: conversationStatus.optional(),
  stage: filter.optional(),
  agent_id: filter.optional(),
  from: instant.optional().describe("Last active at or after."),
  to: instant.optional().describe("Last active before."),
  forked_from: identifier.optional().describe("Only forks of this conversation."),
  queue: z
    .enum(QUEUE_VIEWS)
    .optional()
    .describe(
      "A view of the queue: the caller's own, those that wait and are nobody's, all that wait or are somebody's, those that are overdue, those that were resolved.",
    ),
  assignee: filter.optional(),
  tag: filter.optional(),
  score: z
    .string()
    .max(400)
    .transform((text, context) => {
      const filter = parseScoreFilter(text);
      if (filter) return filter;
      context.addIssue({
        code: "custom",
        message: "must be a name, as in rating, rating<3, thumbs=false, topic=refund",
      });
      return z.NEVER;
    })
    .optional()
    .describe("Only those with such a score: `rating`, `rating<3`, `thumbs=false`, `topic=refund`."),
  ...happenedFilters,
};

/** Lists conversations by last activity, filtered and searched. */
export const listConversations = operation({
  name: "listConversations",
  permission: "read",
  method: "GET",
  path: "/api/conversations",
  summary: "Lists conversations by last activity, newest first.",
  query: z.strictObject({ ...conversationFilters, cursor: cursor.optional(), limit }),
  answers: { 200: { description: "A page of conversations.", schema: conversations } },
  run: async ({ query, requester }, { conversations }) =>
    answerJson(await conversations.list(listQuery(query, requester.caller))),
});
