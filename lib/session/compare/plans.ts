import { callIds } from "../../plan/call.ts";
import { buildGraph } from "../../plan/graph.ts";
import { type Change, diffValues } from "../diff.ts";
import type { JsonObject } from "../json.ts";
import type { Plan, PlanEdge } from "../session.ts";
import { runNames } from "./runs.ts";
import { type Compared, comparable, type Sides, type Standing } from "./sides.ts";

/** A call of a plan as it was proposed, on both sides. */
export interface PlannedPair extends Sides<JsonObject> {
  id: string;
  standing: Standing;
  changes: Change[];
}

/** An edge that one side's plan has and the other's has not. */
export interface EdgeChange {
  side: "a" | "b";
  edge: PlanEdge;
}

/** Two plans that answer to each other, with what is different between them. */
export interface PlanPair extends Sides<Plan> {
  standing: Standing;
  calls: PlannedPair[];
  edges: EdgeChange[];
}

/** Larger plans are compared by their calls alone: their edges may be very many. */
const MOST_CALLS = 1_000;

/**
 * The plans of two sessions side by side, by turn and iteration (C10). One that has no match is held against the other
 * side's newest plan of its turn: a fork proposes what is left in an iteration of its own.
 */
export function comparePlans(a: Compared, b: Compared): PlanPair[] {
  const [ofA, ofB] = [namedPlans(a), namedPlans(b)];
  const places = [...new Map([...ofA, ...ofB].map(([place, { turn }]) => [place, turn]))];
  return places.map(([place, turn]) =>
    comparePlan(
      ofA.get(place)?.plan ?? newestOf(ofA.values(), turn),
      ofB.get(place)?.plan ?? newestOf(ofB.values(), turn),
    ),
  );
}

interface NamedPlan {
  plan: Plan;
  turn: string;
}

function namedPlans(session: Compared): Map<string, NamedPlan> {
  const names = runNames(session);
  return new Map(
    [...session.plans.values()].map((plan) => {
      const turn = names.get(plan.run_id) ?? plan.run_id;
      return [JSON.stringify([turn, plan.iteration]), { plan, turn }];
    }),
  );
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
    const changes = diffValues(comparable(one), comparable(two));
    return { id, a: one, b: two, standing: changes.length === 0 ? "same" : "changed", changes };
  });
}

function callsOf(plan: Plan | null): Map<string, JsonObject> {
  const ids = callIds(plan?.calls ?? []);
  return new Map(plan?.calls.map((call, index) => [ids[index] ?? "", call]));
}

function edgesBeyond(plan: Plan | null, other: Plan | null, side: "a" | "b"): EdgeChange[] {
  if (!plan || !other) return [];
  const known = new Set(edgesOf(other).map(wordsOf));
  return edgesOf(plan).flatMap((edge) => (known.has(wordsOf(edge)) ? [] : [{ side, edge }]));
}

function edgesOf({ calls, outputs }: Plan): PlanEdge[] {
  return calls.length > MOST_CALLS ? [] : buildGraph(calls, outputs).edges;
}

function wordsOf({ from, to, kind, paths }: PlanEdge): string {
  return JSON.stringify([from, to, kind, [...paths].sort()]);
}
