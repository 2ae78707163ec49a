import { type Change, diffValues } from "../json/diff.ts";
import { isJsonObject, isSameJson, type Json } from "../json/json.ts";
import type { Call } from "../session.ts";
import { runNames } from "./runs.ts";
import { type Compared, comparable, type Presence, type Sides, sharedSteps } from "./sides.ts";
import { comparableRuns } from "./window.ts";

/** Two matching calls, or one without a match. */
export interface CallPair extends Sides<Call> {
  standing: Presence;
  params: Change[];
  output: Change[];
}

/** Up to this many calls of a tool are compared with each of the other side; beyond, they are matched in order. */
const HELD_AGAINST = 100;

/**
 * Matches the calls of two sessions (C10): by turn, iteration, instance and id; the others by tool, within their turn
 * and then, in sessions that have nothing in common, anywhere, by similarity, since models generate new ids. In the
 * order of the first side; calls of the second side follow their predecessor there.
 */
export function compareCalls(a: Compared, b: Compared): CallPair[] {
  const known = comparableRuns(heldBy(a), heldBy(b));
  const ofA = namedCalls(a).filter(({ call }) => known.a(call.run_id));
  const ofB = namedCalls(b).filter(({ call }) => known.b(call.run_id));
  const partner = new Map<Call, Call>();
  const byPlace = new Map(ofB.map(({ place, call }) => [place, call]));
  for (const { place, call } of ofA) {
    const other = byPlace.get(place);
    if (other) partner.set(call, other);
  }
  const isApart = sharedSteps(a, b) === 0 && a.calls_before === 0 && b.calls_before === 0;
  const byTurn = ({ run, call }: NamedCall) => `${run} ${call.tool}`;
  for (const group of isApart ? [byTurn, ({ call }: NamedCall) => call.tool] : [byTurn]) {
    const taken = new Set(partner.values());
    const restOfA = ofA.filter(({ call }) => !partner.has(call));
    const restOfB = ofB.filter(({ call }) => !taken.has(call));
    for (const [one, other] of pairByLikeness(restOfA, restOfB, group)) partner.set(one, other);
  }
  const plain = ({ call }: NamedCall) => call;
  return inOrder(ofA.map(plain), ofB.map(plain), partner).map(comparePair);
}

function heldBy(session: Compared) {
  const runs = [...session.calls.values()].map(({ run_id }) => run_id);
  return { session, runs, isCut: session.calls_before > 0, isPart: true };
}

interface NamedCall {
  call: Call;
  /** Its full key; a call of another tool is another call. */
  place: string;
  run: string;
}

/** Calls that a fork has from its source and has executed or repeated count once (E9). */
function namedCalls(session: Compared): NamedCall[] {
  const names = runNames(session);
  const calls = [...session.calls.values()].map((call) => {
    const run = names.get(call.run_id ?? "") ?? call.run_id ?? "";
    return { call, run, place: JSON.stringify([run, call.tool, call.iteration, call.instance, call.id]) };
  });
  const slot = ({ run, call }: NamedCall) => JSON.stringify([run, call.tool, call.instance, call.id]);
  const newest = new Map(calls.map((named) => [slot(named), named.call.run_id]));
  return calls.filter((named) => newest.get(slot(named)) === named.call.run_id);
}

function pairByLikeness(
  a: readonly NamedCall[],
  b: readonly NamedCall[],
  group: (named: NamedCall) => string,
): [Call, Call][] {
  const groupsOfB = Map.groupBy(b, group);
  return [...Map.groupBy(a, group)].flatMap(([name, ofA]) =>
    pairGroup(
      ofA.map(({ call }) => call),
      (groupsOfB.get(name) ?? []).map(({ call }) => call),
    ),
  );
}

function pairGroup(a: readonly Call[], b: readonly Call[]): [Call, Call][] {
  if (a.length > HELD_AGAINST || b.length > HELD_AGAINST)
    return a.slice(0, b.length).flatMap((call, index) => (b[index] ? [[call, b[index]]] : []));
  const [leavesOfA, leavesOfB] = [a.map(leavesOf), b.map(leavesOf)];
  const pairs = leavesOfA.flatMap((one, i) => leavesOfB.map((two, j) => ({ i, j, likeness: likeness(one, two) })));
  pairs.sort((one, two) => two.likeness - one.likeness || one.i + one.j - (two.i + two.j));
  const [takenA, takenB] = [new Set<number>(), new Set<number>()];
  const found: [Call, Call][] = [];
  for (const { i, j } of pairs) {
    const [one, two] = [a[i], b[j]];
    if (!one || !two || takenA.has(i) || takenB.has(j)) continue;
    takenA.add(i);
    takenB.add(j);
    found.push([one, two]);
  }
  return found;
}

/** The primitive values of a call's parameters, with their paths. */
function leavesOf({ params }: Call): Set<string> {
  const leaves = new Set<string>();
  const collect = (path: string, value: Json) => {
    if (Array.isArray(value)) for (const [index, entry] of value.entries()) collect(`${path}/${index}`, entry);
    else if (isJsonObject(value)) for (const [key, entry] of Object.entries(value)) collect(`${path}/${key}`, entry);
    else leaves.add(`${path}=${JSON.stringify(value)}`);
  };
  collect("", comparable(params ?? {}) ?? {});
  return leaves;
}

/** The share of primitive values that two calls have in common. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((leaf) => b.has(leaf)).length;
  const all = a.size + b.size - common;
  return all === 0 ? 1 : common / all;
}

function inOrder(a: readonly Call[], b: readonly Call[], partner: ReadonlyMap<Call, Call>): Sides<Call>[] {
  const taken = new Set(partner.values());
  const places = new Map(b.map((call, index) => [call, index]));
  const rows: Sides<Call>[] = [];
  let next = 0;
  const tellAlone = (until: number) => {
    for (; next < until; next += 1) {
      const call = b[next];
      if (call && !taken.has(call)) rows.push({ a: null, b: call });
    }
  };
  for (const call of a) {
    const other = partner.get(call) ?? null;
    if (other) tellAlone(places.get(other) ?? 0);
    rows.push({ a: call, b: other });
  }
  tellAlone(b.length);
  return rows;
}

function comparePair({ a, b }: Sides<Call>): CallPair {
  if (!a || !b) return { a, b, standing: a ? "a" : "b", params: [], output: [] };
  const params = diffValues(comparable(a.params), comparable(b.params));
  const output = diffValues(comparable(a.output), comparable(b.output));
  const isSame =
    params.length + output.length === 0 &&
    a.status === b.status &&
    a.handled === b.handled &&
    a.branch === b.branch &&
    isSameJson(a.error && { ...a.error }, b.error && { ...b.error });
  return { a, b, standing: isSame ? "same" : "changed", params, output };
}
