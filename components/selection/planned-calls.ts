import { type PlanCall, readCall, withKnown } from "@/lib/plan/call.ts";
import type { Target } from "@/lib/plan/output-path.ts";
import { printReference } from "@/lib/plan/reference.ts";
import type { JsonObject } from "@/lib/session/json/json.ts";
import type { Plan } from "@/lib/session/session.ts";

// A plan's calls stay the same objects while the session moves on; reading their references again would cost each step.
const read = new WeakMap<JsonObject, PlanCall>();

/** The calls of a plan, read; the session has given each an id. What validation knew of their writes is in them. */
export function readPlan({ calls, outputs }: Pick<Plan, "calls" | "outputs">): PlanCall[] {
  const known = new Map(outputs.map((output) => [output.call_id, output]));
  return calls.map((call) => {
    const planned = plannedCall(call);
    const output = known.get(planned.id);
    return output ? { ...planned, output: withKnown(planned.output, output) } : planned;
  });
}

/** Reads a plan's calls ahead, in small steps. */
export function* readPlanInParts({ calls }: Pick<Plan, "calls">): Generator<void, void> {
  for (const call of calls) {
    plannedCall(call);
    yield;
  }
}

/**
 * A target is one of several that get the same value (`&&`). The keys of `†state` get a part of the result each, and what
 * a delegate writes back is its own (P9, P11, P27).
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
