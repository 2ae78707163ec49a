/** What a fork's own names for users begin with, so that no user may be called so. */
export const FORK_SCOPE = "fork:";

/** As agents are called that keep the copies which forks have of users' memories. */
const FORK_MEMORIES = `memory:${FORK_SCOPE}`;

/** A fork's own name for a user (E9): under it the user's memory is kept there, and turns are taken. */
export function forkScope(forkId: string, userId: string): string {
  return `${FORK_SCOPE}${encoded(forkId)}:${userId}`;
}

/** What the agents that keep memories of this fork are called by; users' ids follow. */
export function forkMemories(forkId: string): string {
  return `${FORK_MEMORIES}${encoded(forkId)}:`;
}

/** The same of the fork whose copy of a memory this agent keeps; null for any other agent. */
export function forkMemoriesOf(agentId: string): string | null {
  if (!agentId.startsWith(FORK_MEMORIES)) return null;
  const end = agentId.indexOf(":", FORK_MEMORIES.length);
  return end < 0 ? null : agentId.slice(0, end + 1);
}

/** Without the colon that ends it, so that no two forks and users have the same name. */
function encoded(forkId: string): string {
  return forkId.replaceAll("%", "%25").replaceAll(":", "%3A");
}
