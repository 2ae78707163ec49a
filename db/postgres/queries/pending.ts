import type { Summary } from "../../../lib/session/session.ts";
import type { ListedConfirmation } from "../../repositories.ts";

/** Of the event that asked: whatever an import brought waits for nobody. */
export const NOT_IMPORTED = "events.origin IS DISTINCT FROM 'import'";

/** The columns of a `PendingRow`, of `conversations` and `events`. */
export const PENDING_COLUMNS = "conversations.summary, conversations.agent_id AS its_agent, events.agent_id";

/** The conversation of what waits for somebody, and the agent that its event names. */
export interface PendingRow {
  summary: string;
  its_agent: string | null;
  agent_id: string | null;
}

/** What a list tells of the conversation. */
export function conversationOf(summary: Summary, agent_id: string | null): ListedConfirmation["conversation"] {
  const { title, subject, channel, user_id } = summary;
  return { title, subject, channel, user_id, agent_id };
}
