import type { PlanAnswers, PlanMaterial } from "./plan-reading.ts";
import type { ToolShapes } from "./tools/tool-shapes.ts";

/** A plan that is read in another thread, with the tools it is read against as data. */
export interface SentPlan extends Pick<PlanMaterial, "plan" | "context" | "lineage"> {
  shapes: ToolShapes;
}

/** Threads that read large plans. All throw `PlanTooLong` and `TooManyPlans`, and what reading a plan throws. */
export interface PlanThreads {
  read<Question extends keyof PlanAnswers>(question: Question, plan: SentPlan): Promise<PlanAnswers[Question]>;
  /** Pieces of the JSON text of a simulation. A thread stays with it until they are read, or nobody has asked for long. */
  simulate(plan: SentPlan, branches: Record<string, number>): AsyncGenerator<string>;
}
