import { MEMORY_AGENTS } from "../session/json/reserved-names.ts";

/** The agent state key of a document. */
export const MEMORY_KEY = "memory";

/** The agent state entry of a user's document (M1). */
export function addressOf(userId: string): { agentId: string; key: string } {
  return { agentId: `${MEMORY_AGENTS}${userId}`, key: MEMORY_KEY };
}
