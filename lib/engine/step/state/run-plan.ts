import { type PlanCall, readCallsInParts } from "../../../plan/call.ts";
import type { Reference } from "../../../plan/reference.ts";
import { type Prepared, prepareInParts, runToEnd } from "../../../plan/schedule/prepare.ts";
import type { Scope } from "../../../plan/scope.ts";
import type { Json, JsonObject } from "../../../session/json/json.ts";
import type { KnownOutput } from "../../../session/session.ts";
import { plannedCall, type RunCall } from "./run-call.ts";

/** The plan of one iteration, given or proposed by a model. */
export interface Proposed {
  iteration: number;
  /** Effective calls, with their ids. */
  calls: JsonObject[];
  /** The run's output after the calls, with unresolved references (P19); undefined for none. */
  output: Json | undefined;
}

/** A valid plan in one instance. */
export interface InstancePlan {
  instance: string;
  prepared: Prepared;
  /** By id, in plan order. */
  calls: ReadonlyMap<string, RunCall>;
}

/** Splits a valid plan into its instances (P25). `scopeOf` reads what exists before it starts. */
export function planInstances(...plan: Parameters<typeof planInstancesInParts>): Map<string, InstancePlan> {
  return runToEnd(planInstancesInParts(...plan));
}

/** The same in parts: a plan of ten thousand calls would block the event loop. */
export function* planInstancesInParts(
  { iteration, calls }: Proposed,
  outputs: readonly KnownOutput[],
  instances: readonly string[],
  scopeOf: (instance: string) => Scope,
): Generator<void, Map<string, InstancePlan>> {
  const back = new Map(outputs.map(({ call_id, writes = [] }) => [call_id, writes]));
  const read: { plan: PlanCall; json: JsonObject; known: Pick<RunCall, "own" | "back"> }[] = [];
  for (const plan of readCallsInParts(calls, outputs)) {
    const json = calls[read.length] ?? {};
    read.push({ plan, json, known: { own: plan.outputPath, back: back.get(plan.id) ?? [] } });
    yield;
  }
  const shared = read.filter(({ plan }) => plan.instance === "").length;
  const known = new Map<string, Prepared>();
  const plans = new Map<string, InstancePlan>();
  for (const instance of instances) {
    const { read: present } = scopeOf(instance);
    const own = read.filter(({ plan }) => belongsTo(plan, instance));
    const calls = own.map(({ plan }) => plan);
    const given = (reference: Reference) => present(reference) !== undefined;
    const alike = calls.length === shared && instances.length > 1 ? givenIn(calls, given) : `of ${instance}`;
    yield;
    const prepared = known.get(alike) ?? (yield* prepareInParts(calls, given));
    known.set(alike, prepared);
    const places = new Map<string, RunCall>();
    for (const { plan, json, known } of own) {
      places.set(plan.id, plannedCall({ call_id: plan.id, iteration, instance }, json, plan, known));
      yield;
    }
    plans.set(instance, { instance, prepared, calls: places });
  }
  return plans;
}

/** Which references exist before the plan starts: the only difference between instances. */
function givenIn(calls: readonly PlanCall[], given: (reference: Reference) => boolean): string {
  const references = calls.flatMap(({ reads }) => reads.flatMap(({ expression }) => expression.flat()));
  return references.map((reference) => (given(reference) ? "1" : "0")).join("");
}

/** A call without an instance runs once for each (P25). */
function belongsTo({ instance }: PlanCall, of: string): boolean {
  return instance === "" || instance === of;
}
