import { type PlanCall, readCall, withKnown } from "../../plan/call.ts";
import type { Target } from "../../plan/output-path.ts";
import { printReference } from "../../plan/reference.ts";
import type { JsonObject } from "../json/json.ts";
import type { Plan } from "../session.ts";

// A plan's calls keep their identity while the session changes, so they are parsed once.
const read = new WeakMap<JsonObject, PlanCall>();

/** The parsed calls of a plan, with ids and declared writes. */
export function readPlan({ calls, outputs }: Pick<Plan, "calls" | "outputs">): PlanCall[] {
  const known = new Map(outputs.map((output) => [output.call_id, output]));
  return calls.map((call) => {
    const planned = plannedCall(call);
    const output = known.get(planned.id);
    return output ? { ...planned, output: withKnown(planned.output, output) } : planned;
  });
}

/** Parses a plan's calls in small steps. */
export function* readPlanInParts({ calls }: Pick<Plan, "calls">): Generator<void, void> {
  for (const call of calls) {
    plannedCall(call);
    yield;
  }
}

/**
 * A target is part of a fan-out with the same value (`&&`). The keys of `†state` each get a part of the result, and a
 * delegate's writes are its own (P9, P11, P27).
 */
export function isFannedOut({ outputPath }: PlanCall, alternative: number, target: Target): boolean {
  const own = (outputPath?.[alternative] ?? []).map(printReference);
  return own.length > 1 && own.includes(printReference(target));
}

function plannedCall(call: JsonObject): PlanCall {
  const known = read.get(call);
  if (known) return known;
  const planned = readCall(call, "");
  read.set(call, planned);
  return planned;
}
