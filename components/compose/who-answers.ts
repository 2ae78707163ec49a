import type { RunningAgent } from "@/components/agents/running-agent.ts";
import type { Summary } from "@/lib/session/session.ts";

/** What the message box needs to know of an agent. */
export type Answerer = Pick<RunningAgent, "id" | "description" | "mode" | "default">;

/**
 * The agent of this server that answers in a conversation; null for imports and conversations of external agents, where
 * messages are only recorded. `answered`: an agent has answered before.
 */
export function whoAnswers(
  { agent_id, channel }: Pick<Summary, "agent_id" | "channel">,
  answered: boolean,
  agents: readonly Answerer[],
): Answerer | null {
  if (agent_id !== null) return agents.find(({ id }) => id === agent_id) ?? null;
  // An agent of this server would be named.
  return answered || channel === "import" ? null : (agents.find((agent) => agent.default) ?? null);
}

/** The agents with which a conversation can start: without those that the main graph enters later (D1). */
export function beginners<T extends Pick<RunningAgent, "stage">>(agents: readonly T[]): T[] {
  return agents.filter(({ stage }) => stage === null || stage === "admin");
}

/** The agents in the order of the choice: the default first. */
export function defaultFirst<T extends Answerer>(agents: readonly T[]): T[] {
  return agents.toSorted((a, b) => Number(b.default) - Number(a.default));
}
