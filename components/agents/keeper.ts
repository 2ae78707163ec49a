/** Who keeps state: an agent, Obelus for a user (M1), or Obelus for itself. */
export type Keeper = { kind: "agent" } | { kind: "memory"; user: string } | { kind: "own" };

const MEMORY = "memory:";
const OWN = "obelus:";

/** The key under which a user's memory stands (M1). */
const MEMORY_KEY = "memory";

/** Tells by an agent's id whose state it is. */
export function keeperOf(agentId: string): Keeper {
  if (agentId.startsWith(MEMORY) && agentId.length > MEMORY.length)
    return { kind: "memory", user: agentId.slice(MEMORY.length) };
  return { kind: agentId.startsWith(OWN) ? "own" : "agent" };
}

/** The user whose memory a key holds; null where it holds none. */
export function memoryUser(agentId: string, key: string): string | null {
  const keeper = keeperOf(agentId);
  return keeper.kind === "memory" && key === MEMORY_KEY ? keeper.user : null;
}
