import { MEMORY_AGENTS } from "../session/json/reserved-names.ts";

/** The key that a document stands under. */
export const MEMORY_KEY = "memory";

/** Where the document of a user is kept in the agents' state (M1). */
export function addressOf(userId: string): { agentId: string; key: string } {
  return { agentId: `${MEMORY_AGENTS}${userId}`, key: MEMORY_KEY };
}
