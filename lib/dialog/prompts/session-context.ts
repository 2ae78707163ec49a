import type { PromptContext } from "../../prompt/prompt.ts";
import type { Json, JsonObject } from "../../session/json/json.ts";
import { newestTopLevelRun } from "../../session/runs/choose-plan.ts";
import type { View } from "../../session/session.ts";
import type { Agent } from "../agent.ts";
import type { UserLocation } from "../user-location.ts";

/** A memory for prompts. */
export interface KnownMemory {
  document: JsonObject;
  summary: string;
  warnings: string[];
}

/** What is known of a conversation besides its view. */
export interface Surroundings {
  place: UserLocation;
  /** Its agent, if it is on this server. */
  agent: Pick<Agent, "timezone"> | undefined;
  /** The view's memory after its rules; null if it is not a memory document. */
  memory: KnownMemory | null;
}

/** The part of a context that depends neither on time nor on language. */
export type SessionContext = Omit<PromptContext, "now" | "locale">;

/** The context of a session for its agent's prompts (H1). */
export function sessionContext(
  { summary, runs, state, memory: stored }: Pick<View, "summary" | "runs" | "state" | "memory">,
  { place, agent, memory }: Surroundings,
): SessionContext {
  const run = newestTopLevelRun({ runs: new Map(runs.map((each) => [each.id, each])) });
  return {
    user_id: summary.user_id,
    household_id: place.household_id,
    timezone: place.timezone ?? agent?.timezone ?? null,
    state: run ? stateOf(state) : undefined,
    memory: memory?.document ?? stored,
    state_summary: memory?.summary,
    warnings: memory?.warnings,
    state_calls: run?.writes.flatMap(({ call_id }) => call_id ?? []),
  };
}

/** The run's state for its agent; if it only has instances, each by name. */
function stateOf(state: View["state"]): Json {
  return Object.hasOwn(state, "") ? (state[""] ?? {}) : state;
}
