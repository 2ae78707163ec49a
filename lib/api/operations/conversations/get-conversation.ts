import { answerJson, unknownConversation } from "../../answers/answer.ts";
import { conversation } from "../../answers/answers.ts";
import { conversationParams } from "../../fields.ts";
import { operation } from "../../operation.ts";

/** Returns a conversation. */
export const getConversation = operation({
  name: "getConversation",
  permission: "read",
  method: "GET",
  path: "/api/conversations/{id}",
  summary: "Returns a conversation.",
  params: conversationParams,
  answers: { 200: { description: "The conversation.", schema: conversation } },
  async run({ params: { id } }, { conversations }) {
    const row = await conversations.get(id);
    if (!row) throw unknownConversation(id);
    return answerJson(row);
  },
});
