import { answerJson, unknownConversation } from "../answer.ts";
import { conversation } from "../answers.ts";
import { conversationParams } from "../fields.ts";
import { noBody, noQuery, operation } from "../operation.ts";

/** Answers one conversation. */
export const getConversation = operation({
  name: "getConversation",
  permission: "read",
  method: "GET",
  path: "/api/conversations/{id}",
  summary: "Answers one conversation.",
  params: conversationParams,
  query: noQuery,
  body: noBody,
  answers: { 200: { description: "The conversation.", schema: conversation } },
  async run({ params: { id } }, { conversations }) {
    const row = await conversations.get(id);
    if (!row) throw unknownConversation(id);
    return answerJson(row);
  },
});
