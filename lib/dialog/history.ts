import type { Messages } from "../../db/repositories.ts";
import type { HistoryEntry } from "../engine/turn.ts";
import { historyMessage } from "../prompt/from-messages.ts";

/** The most of a history that an agent can ask for, and so much is read: what of it is shown is told by H4. */
export const MOST_MESSAGES = 10_000;
export const MOST_CHARACTERS = 4_000_000;

/** What was said before a message, and that message last (M11); what the run that answers it has said is left out. */
export async function historyBefore(
  messages: Pick<Messages, "before">,
  conversationId: string,
  messageId: string,
  runId: string,
): Promise<HistoryEntry[]> {
  const said = await messages.before(conversationId, messageId, MOST_MESSAGES, MOST_CHARACTERS);
  return said
    .filter(({ run_id }) => run_id !== runId)
    .map((message) => ({ ...historyMessage(message), seq: message.seq, run_id: message.run_id }));
}
