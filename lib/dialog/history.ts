import type { Messages } from "../../db/repositories.ts";
import type { TextMessage } from "../plan/message.ts";

/** So many messages before the one that is answered go to the model. */
const MESSAGES_BEFORE = 40;

/** What was said before a message, and that message last (M11). */
export async function historyBefore(
  messages: Pick<Messages, "before">,
  conversationId: string,
  messageId: string,
): Promise<TextMessage[]> {
  const said = await messages.before(conversationId, messageId, MESSAGES_BEFORE);
  return said.flatMap(({ role, content }) => {
    const speaker = SPEAKERS.get(role);
    return speaker === undefined ? [] : [{ role: speaker, content }];
  });
}

/** Who a model takes the words for: a manager speaks to the user in the agent's place. */
const SPEAKERS: ReadonlyMap<string, TextMessage["role"]> = new Map([
  ["user", "user"],
  ["assistant", "assistant"],
  ["operator", "assistant"],
  ["system", "system"],
]);
