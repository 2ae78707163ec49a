import { z } from "zod";
import type { SessionSearch } from "../../../../db/repositories.ts";
import { FIND_WHERE } from "../../../session/find/find-in-event.ts";
import { answerJson, unknownConversation } from "../../answers/answer.ts";
import { conversationParams, cursor, limit } from "../../fields.ts";
import { operation } from "../../operation.ts";

const found = z.object({
  seq: z.int(),
  type: z.string(),
  where: z.enum(FIND_WHERE),
  path: z.string(),
  run_id: z.string().nullable(),
  call_id: z.string().nullable(),
  excerpt: z.array(z.object({ text: z.string(), marked: z.boolean() })),
});

/** Search results in a conversation. */
export const sessionSearch = z.object({
  items: z.array(found),
  from: z.int(),
  next: z.string().nullable(),
}) satisfies z.ZodType<SessionSearch>;

/** Searches the messages, state and events of a conversation, newest step first. */
export const searchConversation = operation({
  name: "searchConversation",
  permission: "read",
  method: "GET",
  path: "/api/conversations/{id}/search",
  summary: "Searches the messages, state and events of a conversation, newest step first.",
  params: conversationParams,
  query: z.strictObject({
    q: z.string().max(500).describe("Words that a step must contain, case-insensitive."),
    where: z.enum(FIND_WHERE).optional().describe("Search only messages, state values, or other events."),
    cursor: cursor.optional().describe("`next` of the previous page."),
    limit,
  }),
  answers: {
    200: {
      description: "Matching steps; continue with `next`.",
      schema: sessionSearch,
    },
  },
  async run({ params: { id }, query }, { sessions }) {
    const found = await sessions.search(id, query);
    if (found === null) throw unknownConversation(id);
    return answerJson(found);
  },
});
