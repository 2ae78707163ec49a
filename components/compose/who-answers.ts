import type { RunningAgent } from "@/components/agents/running-agent.ts";
import type { Summary } from "@/lib/session/session.ts";

/** What has to be known of an agent before one writes to it. */
export type Answerer = Pick<RunningAgent, "id" | "description" | "mode" | "default">;

/**
 * Which agent of this server answers in a conversation. Null where none does: what was imported, and sessions of agents
 * elsewhere, can only be added to. `answered`: somebody has answered in it already.
 */
export function whoAnswers(
  { agent_id, channel }: Pick<Summary, "agent_id" | "channel">,
  answered: boolean,
  agents: readonly Answerer[],
): Answerer | null {
  if (agent_id !== null) return agents.find(({ id }) => id === agent_id) ?? null;
  // An agent of this server would have been named.
  return answered || channel === "import" ? null : (agents.find((agent) => agent.default) ?? null);
}

/** The agents that conversations can be begun with: not those to whom the main graph leads later (D1). */
export function beginners<T extends Pick<RunningAgent, "stage">>(agents: readonly T[]): T[] {
  return agents.filter(({ stage }) => stage === null || stage === "admin");
}

/** The agents in the order in which they are offered: the one that answers where nobody is named first. */
export function defaultFirst<T extends Answerer>(agents: readonly T[]): T[] {
  return agents.toSorted((a, b) => Number(b.default) - Number(a.default));
}
