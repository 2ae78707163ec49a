import type { PromptContext } from "../prompt/prompt.ts";
import { newestTopLevelRun } from "../session/choose-plan.ts";
import type { Json, JsonObject } from "../session/json/json.ts";
import type { View } from "../session/session.ts";
import type { Agent } from "./agent.ts";
import type { Whereabouts } from "./whereabouts.ts";

/** A memory as prompts have it. */
export interface KnownMemory {
  document: JsonObject;
  summary: string;
  warnings: string[];
}

/** What is known of a conversation beside its view. */
export interface Surroundings {
  place: Whereabouts;
  /** Its agent, where it is one of this server's. */
  agent: Pick<Agent, "timezone"> | undefined;
  /** What the rules of the memory make of the view's; null where it is no document. */
  memory: KnownMemory | null;
}

/** What of a context depends neither on the time nor on the language. */
export type SessionContext = Omit<PromptContext, "now" | "locale">;

/** What a session knows for the prompts of its agent (H1). */
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

/** The run's own state, as its agent is told it; of a run that has only instances, each by its name. */
function stateOf(state: View["state"]): Json {
  return Object.hasOwn(state, "") ? (state[""] ?? {}) : state;
}
