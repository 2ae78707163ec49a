/** The owner of agent state: an agent, Obelus for a user (M1), or Obelus itself. */
export type StateOwner = { kind: "agent" } | { kind: "memory"; user: string } | { kind: "own" };

const MEMORY = "memory:";
const OWN = "obelus:";

/** The key of a user's memory (M1). */
const MEMORY_KEY = "memory";

/** The owner of the state of an agent id. */
export function stateOwnerOf(agentId: string): StateOwner {
  if (agentId.startsWith(MEMORY) && agentId.length > MEMORY.length)
    return { kind: "memory", user: agentId.slice(MEMORY.length) };
  return { kind: agentId.startsWith(OWN) ? "own" : "agent" };
}

/** The user whose memory a key holds; null for any other key. */
export function memoryUser(agentId: string, key: string): string | null {
  const keeper = stateOwnerOf(agentId);
  return keeper.kind === "memory" && key === MEMORY_KEY ? keeper.user : null;
}
