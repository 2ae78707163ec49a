/** The prefix of a fork's own user scopes; users may not have ids with it. */
export const FORK_SCOPE = "fork:";

/** The prefix of agents that store forks' copies of users' memories. */
const FORK_MEMORIES = `memory:${FORK_SCOPE}`;

/** A fork's scope for a user (E9): the key of its copy of the user's memory, and of its turn queue. */
export function forkScope(forkId: string, userId: string): string {
  return `${FORK_SCOPE}${encoded(forkId)}:${userId}`;
}

/** The prefix of agents that store this fork's memories; users' ids follow. */
export function forkMemories(forkId: string): string {
  return `${FORK_MEMORIES}${encoded(forkId)}:`;
}

/** The same prefix from such an agent's id; null for other agents. */
export function forkMemoriesOf(agentId: string): string | null {
  if (!agentId.startsWith(FORK_MEMORIES)) return null;
  const end = agentId.indexOf(":", FORK_MEMORIES.length);
  return end < 0 ? null : agentId.slice(0, end + 1);
}

/** Without colons, so that the scopes of different forks and users are different. */
function encoded(forkId: string): string {
  return forkId.replaceAll("%", "%25").replaceAll(":", "%3A");
}
