import type { Messages } from "../../db/repositories.ts";
import type { HistoryEntry } from "../engine/turn.ts";
import { historyMessage } from "../prompt/history/from-messages.ts";

/** The maximum history of an agent, and how much is read; H4 limits what is used. */
export const MOST_MESSAGES = 10_000;
export const MOST_CHARACTERS = 4_000_000;

/** The messages before a message, and that message last (M11); without those of the run that answers it. */
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
