import { z } from "zod";
import type { ConversationPage } from "../../../../db/repositories.ts";
import type { Caller } from "../../../access/caller.ts";
import { QUEUE_VIEWS } from "../../../queue/queue.ts";
import { DIRECTIONS, parseRange, parseSort, SORTS } from "../../../rollup/totals.ts";
import { parseScoreFilter } from "../../../scores/score.ts";
import { identifier } from "../../../session/events/catalogue.ts";
import { answerJson } from "../../answers/answer.ts";
import { conversation, conversationStatus, page, refusal } from "../../answers/answers.ts";
import { cursor, instant, limit } from "../../fields.ts";
import { operation } from "../../operation.ts";
import { happenedFilters } from "./happened.ts";
import { listQuery } from "./list-query.ts";

/** A page of conversations. */
export const conversations = page(conversation).extend({
  behind: z.int().optional().describe("Events that are not indexed yet, up to 10,000."),
}) satisfies z.ZodType<ConversationPage>;

const filter = z.string().min(1, "must not be empty").max(200);

const range = (what: string) =>
  z
    .string()
    .max(40)
    .transform((text, context) => {
      const range = parseRange(text);
      if (range) return range;
      context.addIssue({ code: "custom", message: "must be a range, as in 5.., ..10, 5..10" });
      return z.NEVER;
    })
    .optional()
    .describe(`${what}, as a range: \`5..\`, \`..10\`, \`5..10\`.`);

/** The order of the list. */
export const conversationOrder = {
  sort: z
    .string()
    .max(120)
    .transform((text, context) => {
      const sort = parseSort(text);
      if (sort) return sort;
      context.addIssue({ code: "custom", message: `must be one of ${SORTS.join(", ")}, score:NAME` });
      return z.NEVER;
    })
    .optional()
    .describe(
      `By what the list is sorted: ${SORTS.map((sort) => `\`${sort}\``).join(", ")}, or \`score:NAME\`, the average of these scores, which lists only conversations that have one. By default \`updated\`, the last activity.`,
    ),
  order: z.enum(DIRECTIONS).optional().describe("`desc` by default."),
};

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
  scored_since: instant.optional().describe("The score in `score`, which is required, was given at or after."),
  scored_until: instant.optional().describe("The score in `score`, which is required, was given before."),
  error: z
    .string()
    .regex(/^[0-9a-f]{16}$/, "must be a fingerprint of GET /api/overview/tools/{name}")
    .optional()
    .describe("Only those with a failure of this kind among the newest 2,000 failures of `tool`, which is required."),
  duration: range("From the first event to the last, in ms"),
  cost: range("What requests to models cost"),
  tokens: range("Tokens of requests to models"),
  failures: range("Failed calls, runs and models, `error_count`"),
  ...happenedFilters,
};

/** The parameters of a list as storage takes them, for pages that read a list without a request. Throws a `ZodError`. */
export function readListQuery(parameters: Readonly<Record<string, string | undefined>>, caller: Caller) {
  return listQuery(z.object({ ...conversationFilters, ...conversationOrder }).parse(parameters), caller);
}

/** Lists conversations, filtered, searched and sorted. */
export const listConversations = operation({
  name: "listConversations",
  permission: "read",
  method: "GET",
  path: "/api/conversations",
  summary:
    "Lists conversations, by default by last activity, newest first. A cursor is of one order; while conversations change, one that moves past it may be listed twice or left out.",
  query: z.strictObject({ ...conversationFilters, ...conversationOrder, cursor: cursor.optional(), limit }),
  answers: {
    200: { description: "A page of conversations.", schema: conversations },
    400: refusal("`error` without `tool`, a time of scores without `score`, or the cursor of another order."),
  },
  run: async ({ query, requester }, { conversations }) =>
    answerJson(await conversations.list(listQuery(query, requester.caller))),
});
