import { type CallPair, compareCalls } from "@/lib/session/compare/calls.ts";
import { compareMessages, type MessagePair } from "@/lib/session/compare/messages.ts";
import { comparePlans, type PlanPair, planDifferences } from "@/lib/session/compare/plans.ts";
import type { Compared, Presence } from "@/lib/session/compare/sides.ts";
import { compareMemories, compareStates, type StateComparison } from "@/lib/session/compare/states.ts";
import type { Change } from "@/lib/session/json/diff.ts";

/** All differences of two sessions at their ends, without steps. */
export interface Comparison {
  messages: MessagePair[];
  plans: PlanPair[];
  calls: CallPair[];
  state: StateComparison;
  memory: Change[];
  /** The number of differences. */
  counts: Record<"messages" | "plan" | "calls" | "state", number>;
}

/** Compares the views of two sessions (C10). */
export function compareSessions(a: Compared, b: Compared): Comparison {
  const [messages, plans, calls] = [compareMessages(a, b), comparePlans(a, b), compareCalls(a, b)];
  const [state, memory] = [compareStates(a, b), compareMemories(a, b)];
  return {
    messages,
    plans,
    calls,
    state,
    memory,
    counts: {
      messages: messages.filter(isOther).length,
      plan: plans.reduce((sum, pair) => sum + planDifferences(pair), 0),
      calls: calls.filter(isOther).length,
      state: state.changes.length + memory.length,
    },
  };
}

/** Whether there is any difference. */
export function isOther({ standing }: { standing: Presence }): boolean {
  return standing !== "same";
}
