import type { Outcome } from "./outcome.ts";

/** The agent's own tools for its goals (M4). */
export const GOAL_METHODS = { add: "memory.goals.add", close: "memory.goals.close" } as const;

/** The goals after an action (M4): new ones are first, existing ones move there, closed ones are removed. */
export function goalsAfter(goals: string[], { method, params }: Pick<Outcome, "method" | "params">): string[] {
  const goal = typeof params.goal === "string" ? params.goal.trim() : "";
  if (goal === "") return goals;
  const others = goals.filter((other) => other.trim() !== goal);
  switch (method) {
    case GOAL_METHODS.add:
      return [goal, ...others];
    case GOAL_METHODS.close:
      return others;
    default:
      return goals;
  }
}
