import { z } from "zod";
import { answerJson, unknownConversation } from "../../answers/answer.ts";
import { message, page } from "../../answers/answers.ts";
import { conversationParams, cursor, limit } from "../../fields.ts";
import { operation } from "../../operation.ts";

/** Lists the messages of a conversation, oldest first. */
export const listMessages = operation({
  name: "listMessages",
  permission: "read",
  method: "GET",
  path: "/api/conversations/{id}/messages",
  summary: "Lists the messages of a conversation, oldest first.",
  params: conversationParams,
  query: z.strictObject({ cursor: cursor.optional(), limit }),
  answers: { 200: { description: "A page of messages.", schema: page(message) } },
  async run({ params: { id }, query }, { conversations, messages }) {
    if (!(await conversations.get(id))) throw unknownConversation(id);
    return answerJson(await messages.list(id, query));
  },
});
