import { z } from "zod";
import { actorOf, recorderOf } from "../../../access/caller.ts";
import { identifier } from "../../../session/events/catalogue.ts";
import { answerJson, unknownConversation } from "../../answers/answer.ts";
import { refusal } from "../../answers/answers.ts";
import { requireAuthority } from "../../event-authority.ts";
import { conversationParams } from "../../fields.ts";
import { jsonBody, operation } from "../../operation.ts";
import { permit } from "../../request/requester.ts";

/** Longer than what people type, and short enough for a prompt. */
const LONGEST_CONTENT = 100_000;

const turnInput = z.strictObject({
  content: z
    .string()
    .min(1, "must not be empty")
    .max(LONGEST_CONTENT, `must have at most ${LONGEST_CONTENT} characters`),
  role: z
    .enum(["user", "operator"])
    .default("user")
    .describe("The sender; the agent answers the user, not the operator."),
  user_id: identifier.optional().describe("The user whose memory the agent uses."),
  message_id: identifier.optional().describe("The message id, chosen by the client. A repeated id is accepted once."),
});

/** Records a user's message and starts the agent's turn. */
export const postTurn = operation({
  name: "postTurn",
  permission: "ingest",
  method: "POST",
  path: "/api/conversations/{id}/messages",
  summary: "Sends a message to a conversation and starts the agent's turn. A user's turns run one after another.",
  params: conversationParams,
  body: jsonBody(turnInput),
  answers: {
    202: {
      description: "The message and the run that answers it. `run_id` is null if none does, such as during a takeover.",
      schema: z.object({ message_id: z.string(), run_id: z.string().nullable() }),
    },
    404: refusal("The conversation does not exist."),
  },
  async run({ params: { id }, body: { user_id = null, ...said }, requester }, { conversations, turns }) {
    // An operator is a caller; programs send users' messages.
    if (said.role === "operator") permit(requester.caller, "operate");
    const conversation = await conversations.get(id);
    // By default the agent uses the memory of the conversation's user.
    const user = user_id ?? conversation?.user_id;
    requireAuthority(requester.caller, {
      ...{ id: said.message_id ?? id, conversation_id: id, type: "message.created", actor: null },
      payload: { role: said.role, ...(user && { user_id: user }) },
    });
    if (!conversation) throw unknownConversation(id);
    const by = { operator: actorOf(requester.caller), by: recorderOf(requester.caller) };
    return answerJson(await turns.take({ conversation_id: id, user_id, ...by, ...said }), 202);
  },
});
