import { isJsonObject, type Json } from "@/lib/session/json/json.ts";

/** A step of an agent's reasoning. */
export interface TraceStep {
  /** `reasoning`, `action`, `observation`, or an agent's own. */
  phase: string;
  content: Json;
}

/** A reasoning trace (E3). */
export interface Trace {
  steps: TraceStep[];
  /** The final action and its result; null for none. */
  finalAction: Json;
  finalResult: Json;
}

/**
 * Reads a value of `agent_state` as a trace: `{conversation: {steps, final_action, final_result}}`, or the inner part
 * alone. Null for any other value.
 */
export function readTrace(value: Json): Trace | null {
  if (!isJsonObject(value)) return null;
  const told = isJsonObject(value.conversation) ? value.conversation : value;
  if (!Array.isArray(told.steps)) return null;
  const steps = told.steps.map(readStep).filter((step) => step !== null);
  if (steps.length < told.steps.length) return null;
  return { steps, finalAction: told.final_action ?? null, finalResult: told.final_result ?? null };
}

function readStep(step: Json): TraceStep | null {
  if (!isJsonObject(step) || typeof step.phase !== "string") return null;
  return { phase: step.phase, content: step.content ?? null };
}
