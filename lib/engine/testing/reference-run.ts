import { type PlanCall, readCalls } from "../../plan/call.ts";
import type { Target } from "../../plan/output-path.ts";
import { overlaps } from "../../plan/overlap.ts";
import { type Reference, valueAt } from "../../plan/reference.ts";
import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";

/** What a call does when it runs. */
export type Behaviour = { kind: "gives"; alternative: number } | { kind: "fails" };

/** How one instance ends by the rules alone. */
export interface ReferenceEnd {
  statuses: Record<string, string>;
  /** Errors in it have their codes alone. */
  state: JsonObject;
}

/**
 * Runs one instance's plan call by call, written from the text of the rules P4–P6, P10–P12, P16 and P21 and from
 * nothing else: what the engine does at once and in any order has to come to the same. Null when the order of writers
 * cannot be kept, which validation would have told.
 */
export function referenceRun(
  plan: readonly JsonObject[],
  initial: JsonObject,
  behaviours: ReadonlyMap<string, Behaviour>,
): ReferenceEnd | null {
  const calls = readCalls(plan);
  const state = structuredClone(initial);
  const statuses = new Map<string, string>();
  const facts = new ReferenceFacts(calls, initial);
  const before = new Map(
    calls.map((call) => [call.id, calls.filter((other) => comesBefore(other, call, calls, facts))]),
  );

  const hasEnded = ({ id }: PlanCall) => statuses.has(id);
  const writersOf = (reader: PlanCall, reference: Reference) =>
    calls.filter((call) => call !== reader && targetsOf(call).some((target) => overlaps(target, reference)));
  const isSettled = (reader: PlanCall, reference: Reference) => writersOf(reader, reference).every(hasEnded);
  const read = ({ kind, path }: Reference) => (kind === "state" ? valueAt(state, path) : undefined);

  /** Present, never to arrive, or open (P4, P5, P6). */
  function decide(call: PlanCall, expression: PlanCall["reads"][number]["expression"]): "present" | "dead" | "open" {
    for (const gate of expression) {
      if (gate.some((reference) => isSettled(call, reference) && read(reference) === undefined)) continue;
      if (gate.every((reference) => isSettled(call, reference))) return "present";
      return "open";
    }
    return expression.flat().every((reference) => isSettled(call, reference)) ? "dead" : "open";
  }

  function run(call: PlanCall): string {
    const dead = call.reads.filter(({ expression }) => decide(call, expression) === "dead");
    const absent = dead.flatMap(({ expression }) => expression.flat()).filter((each) => read(each) === undefined);
    if (dead.length > 0) {
      const lost = absent.some((each) => writersOf(call, each).some(({ id }) => LOST.has(statuses.get(id) ?? "")));
      return lost ? "blocked" : "skipped";
    }
    const output = call.output ?? [];
    if (output.length > 0 && output.every((fanOut) => fanOut.some(isTaken))) return "skipped";
    if (output.some((fanOut) => !fanOut.some(isTaken) && fanOut.some(isBelowScalar))) return fail(call, "below_scalar");
    const behaviour = behaviours.get(call.id);
    if (behaviour?.kind !== "gives") return fail(call, "broken");
    const fanOut = output[Math.min(behaviour.alternative, Math.max(0, output.length - 1))] ?? [];
    if (fanOut.some(isTaken)) return "superseded";
    if (fanOut.some(isBelowScalar)) return fail(call, "below_scalar");
    for (const target of fanOut) write(target, call.id);
    return "succeeded";
  }

  function fail(call: PlanCall, code: string): string {
    const output = call.output ?? [];
    const last = output.at(-1) ?? [];
    const isMeant =
      output.length > 1 && last.every(({ path }) => /^(error|failed|failure)$|(_error|Error)$/.test(path.at(-1) ?? ""));
    if (!isMeant || last.some((target) => isTaken(target) || isBelowScalar(target))) return "failed";
    for (const target of last) write(target, { code });
    return "failed handled";
  }

  function isTaken({ path }: Target): boolean {
    return valueAt(state, path) !== undefined;
  }

  function isBelowScalar({ path }: Target): boolean {
    return path.some((_, length) => {
      const above = valueAt(state, path.slice(0, length));
      return above !== undefined && !isJsonObject(above);
    });
  }

  function write({ path }: Target, value: Json): void {
    let parent = state;
    for (const segment of path.slice(0, -1)) {
      const child = parent[segment];
      const next = isJsonObject(child) ? child : {};
      parent[segment] = next;
      parent = next;
    }
    parent[path.at(-1) ?? ""] = value;
  }

  for (let open = calls; open.length > 0; open = open.filter((call) => !hasEnded(call))) {
    const next = open.find(
      (call) =>
        (before.get(call.id) ?? []).every(hasEnded) &&
        call.reads.every(({ expression }) => decide(call, expression) !== "open"),
    );
    if (!next) return null;
    statuses.set(next.id, run(next));
  }
  return { statuses: Object.fromEntries(statuses), state };
}

const LOST = new Set(["failed", "blocked", "denied", "cancelled"]);

function targetsOf({ output }: PlanCall): Target[] {
  return (output ?? []).flat();
}

/** P12: writers that are not exclusive run ancestors before descendants, then in plan order. */
function comesBefore(first: PlanCall, then: PlanCall, calls: readonly PlanCall[], facts: ReferenceFacts): boolean {
  if (first === then) return false;
  const pairs = (first.output ?? []).flatMap((fanOut, a) =>
    (then.output ?? []).flatMap((other, b) =>
      facts.areExclusive(first, a, then, b)
        ? []
        : fanOut.flatMap((target) =>
            other.filter((each) => overlaps(target, each)).map((each) => [target, each] as const),
          ),
    ),
  );
  if (pairs.length === 0) return false;
  const isAbove = pairs.some(([target, other]) => target.path.length < other.path.length);
  const isBelow = pairs.some(([target, other]) => target.path.length > other.path.length);
  if (isAbove !== isBelow) return isAbove;
  return calls.indexOf(first) < calls.indexOf(then);
}

/** P16: what must hold for a call to run, as texts `call/alternative`; null when it never can. */
class ReferenceFacts {
  readonly #calls: readonly PlanCall[];
  readonly #initial: JsonObject;
  readonly #known = new Map<PlanCall, Set<string> | null>();

  constructor(calls: readonly PlanCall[], initial: JsonObject) {
    this.#calls = calls;
    this.#initial = initial;
  }

  areExclusive(a: PlanCall, alternativeA: number, b: PlanCall, alternativeB: number): boolean {
    const ofA = this.#with(a, alternativeA);
    const ofB = this.#with(b, alternativeB);
    return ofA === null || ofB === null || !isConsistent(new Set([...ofA, ...ofB]));
  }

  #of(call: PlanCall): Set<string> | null {
    const known = this.#known.get(call);
    if (known !== undefined) return known;
    // A call that needs itself is a cycle, which validation refuses.
    this.#known.set(call, new Set());
    const found = unite(
      call.reads.map(({ expression }) =>
        common(expression.map((gate) => unite(gate.map((reference) => this.#arrival(call, reference))))),
      ),
    );
    this.#known.set(call, found);
    return found;
  }

  #arrival(reader: PlanCall, reference: Reference): Set<string> | null {
    if (reference.kind === "state" && valueAt(this.#initial, reference.path) !== undefined) return new Set();
    const ways = this.#calls.flatMap((writer) =>
      writer === reader
        ? []
        : (writer.output ?? []).flatMap((fanOut, alternative) =>
            fanOut.some((target) => overlaps(target, reference)) ? [this.#with(writer, alternative)] : [],
          ),
    );
    return common(ways);
  }

  #with(call: PlanCall, alternative: number): Set<string> | null {
    const needed = this.#of(call);
    if (needed === null) return null;
    return (call.output?.length ?? 0) > 1 ? new Set([...needed, `${call.id}/${alternative}`]) : needed;
  }
}

function isConsistent(facts: ReadonlySet<string>): boolean {
  return new Set([...facts].map((fact) => fact.split("/")[0])).size === facts.size;
}

function unite(sets: (Set<string> | null)[]): Set<string> | null {
  const union = new Set<string>();
  for (const set of sets) {
    if (set === null) return null;
    for (const fact of set) union.add(fact);
  }
  return isConsistent(union) ? union : null;
}

function common(sets: (Set<string> | null)[]): Set<string> | null {
  const [first, ...others] = sets.filter((set) => set !== null);
  if (!first) return null;
  return new Set([...first].filter((fact) => others.every((set) => set.has(fact))));
}
