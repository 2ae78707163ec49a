import { callIds } from "../../plan/call.ts";
import { buildGraph } from "../../plan/graph.ts";
import { type Change, diffValues } from "../json/diff.ts";
import type { JsonObject } from "../json/json.ts";
import { callKey } from "../keys.ts";
import type { Plan, PlanEdge } from "../session.ts";
import { runNames } from "./runs.ts";
import { type Compared, comparable, type Presence, type Sides } from "./sides.ts";
import { comparableRuns } from "./window.ts";

/** A proposed call on both sides. */
export interface PlannedPair extends Sides<JsonObject> {
  id: string;
  standing: Presence;
  changes: Change[];
}

/** An edge of only one side's plan. */
export interface EdgeChange {
  side: "a" | "b";
  edge: PlanEdge;
}

/** Two matching plans with their differences. */
export interface PlanPair extends Sides<Plan> {
  standing: Presence;
  calls: PlannedPair[];
  edges: EdgeChange[];
}

/** Of larger plans only the calls are compared: they may have very many edges. */
const MOST_CALLS = 1_000;

/**
 * Matches the plans of two sessions by turn and iteration (C10). One without a match is compared with the other side's
 * newest plan of its turn, together with the successful calls of its own side in the turn: a fork proposes the
 * remaining calls in an iteration of its own.
 */
export function comparePlans(a: Compared, b: Compared): PlanPair[] {
  const known = comparableRuns(heldBy(a), heldBy(b));
  const [ofA, ofB] = [namedPlans(a, known.a), namedPlans(b, known.b)];
  const places = [...new Map([...ofA, ...ofB].map(([place, { turn }]) => [place, turn]))];
  return places.map(([place, turn]) => {
    const [one, two] = [ofA.get(place), ofB.get(place)];
    if (one && two) return comparePlan(one.plan, two.plan);
    const [newestA, newestB] = [newestOf(ofA.values(), turn), newestOf(ofB.values(), turn)];
    return comparePlan(
      one && newestB ? withDone(one, ofA.values(), a) : (one?.plan ?? newestA),
      two && newestA ? withDone(two, ofB.values(), b) : (two?.plan ?? newestB),
    );
  });
}

/** The number of differences: calls, edges, and whether it was rejected. */
export function planDifferences({ a, b, standing, calls, edges }: PlanPair): number {
  if (standing === "same") return 0;
  const rejected = a && b && a.rejected !== b.rejected ? 1 : 0;
  return Math.max(1, calls.filter((call) => call.standing !== "same").length + edges.length + rejected);
}

interface NamedPlan {
  plan: Plan;
  turn: string;
}

function heldBy(session: Compared) {
  const runs = [...session.plans.values()].map(({ run_id }) => run_id);
  return { session, runs, isCut: session.runs_before > 0 || session.calls_before > 0, isPart: false };
}

function namedPlans(session: Compared, isKnown: (run: string | null) => boolean): Map<string, NamedPlan> {
  const names = runNames(session);
  return new Map(
    [...session.plans.values()]
      .filter(({ run_id }) => isKnown(run_id))
      .map((plan) => {
        const turn = names.get(plan.run_id) ?? plan.run_id;
        return [JSON.stringify([turn, plan.iteration]), { plan, turn }];
      }),
  );
}

/** A plan with the successful calls of earlier plans of its turn that it no longer has. */
function withDone({ plan, turn }: NamedPlan, plans: Iterable<NamedPlan>, { calls }: Compared): Plan {
  const done = new Set(
    [...calls.values()].flatMap((call) =>
      call.status === "succeeded" ? [callKey(call.run_id, call.iteration, "", call.id)] : [],
    ),
  );
  const own = callsOf(plan);
  const kept = new Map<string, JsonObject>();
  const outputs = [...plan.outputs];
  for (const { plan: before, turn: other } of plans) {
    if (before === plan) break;
    if (other !== turn) continue;
    for (const [id, call] of callsOf(before))
      if (!own.has(id) && done.has(callKey(before.run_id, before.iteration, "", id))) kept.set(id, call);
    outputs.push(...before.outputs.filter(({ call_id }) => kept.has(call_id)));
  }
  return kept.size === 0 ? plan : { ...plan, calls: [...kept.values(), ...plan.calls], outputs };
}

function newestOf(plans: Iterable<NamedPlan>, turn: string): Plan | null {
  return [...plans].findLast((named) => named.turn === turn)?.plan ?? null;
}

function comparePlan(a: Plan | null, b: Plan | null): PlanPair {
  const calls = comparePlanned(a, b);
  const edges = [...edgesBeyond(a, b, "a"), ...edgesBeyond(b, a, "b")];
  if (!a || !b) return { a, b, standing: a ? "a" : "b", calls, edges };
  const isSame = a.rejected === b.rejected && edges.length === 0 && calls.every(({ standing }) => standing === "same");
  return { a, b, standing: isSame ? "same" : "changed", calls, edges };
}

function comparePlanned(a: Plan | null, b: Plan | null): PlannedPair[] {
  const [ofA, ofB] = [callsOf(a), callsOf(b)];
  return [...new Set([...ofA.keys(), ...ofB.keys()])].map((id) => {
    const [one, two] = [ofA.get(id) ?? null, ofB.get(id) ?? null];
    if (!one || !two) return { id, a: one, b: two, standing: one ? "a" : "b", changes: [] };
    const changes = diffValues(comparable(essence(one)), comparable(essence(two)));
    return { id, a: one, b: two, standing: changes.length === 0 ? "same" : "changed", changes };
  });
}

/** A call without its reasoning, which models word differently each time. */
function essence({ _reasoningForCall: _why, ...call }: JsonObject): JsonObject {
  return call;
}

function callsOf(plan: Plan | null): Map<string, JsonObject> {
  const ids = callIds(plan?.calls ?? []);
  return new Map(plan?.calls.map((call, index) => [ids[index] ?? "", call]));
}

/** The edges that only one plan has, with the paths that the other's edge of its kind lacks. */
function edgesBeyond(plan: Plan | null, other: Plan | null, side: "a" | "b"): EdgeChange[] {
  if (!plan || !other) return [];
  const known = new Set(edgesOf(other).flatMap((edge) => edge.paths.map((path) => nameOf(edge, path))));
  return edgesOf(plan).flatMap((edge) => {
    const paths = edge.paths.filter((path) => !known.has(nameOf(edge, path)));
    return paths.length > 0 ? [{ side, edge: { ...edge, paths } }] : [];
  });
}

function edgesOf({ calls, outputs }: Plan): PlanEdge[] {
  return calls.length > MOST_CALLS ? [] : buildGraph(calls, outputs).edges;
}

function nameOf({ from, to, kind }: PlanEdge, path: string): string {
  return JSON.stringify([from, to, kind, path]);
}
