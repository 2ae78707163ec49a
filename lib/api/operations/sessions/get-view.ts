import { z } from "zod";
import { answerText, unknownConversation } from "../../answers/answer.ts";
import { view } from "../../answers/session-answers.ts";
import { conversationParams, numberParameter } from "../../fields.ts";
import { operation } from "../../operation.ts";

/** Returns a session after a step (E6). */
export const getView = operation({
  name: "getView",
  permission: "read",
  method: "GET",
  path: "/api/conversations/{id}/view",
  summary: "Returns a session as of a step; 0 is empty, the default is the last.",
  params: conversationParams,
  // Storage checks the range, because only it knows the last step.
  query: z.strictObject({
    at: numberParameter(Number.MIN_SAFE_INTEGER).optional().describe("A seq from 0 to the last."),
  }),
  answers: { 200: { description: "The session after that step.", schema: view } },
  async run({ params: { id }, query }, { sessions }) {
    const bytes = await sessions.viewBytes(id, query.at ?? null);
    if (bytes === null) throw unknownConversation(id);
    return answerText(bytes);
  },
});
