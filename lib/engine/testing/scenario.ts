import fc from "fast-check";
import { isJsonObject, type JsonObject } from "../../session/json/json.ts";
import { type Activity, ActivityError, Choice } from "../tools/activity.ts";
import type { Behaviour } from "./reference-run.ts";

/** A plan with what each of its calls does, when, and where it begins. */
export interface Scenario {
  plan: JsonObject[];
  behaviours: Map<string, Behaviour>;
  latencies: number[];
  concurrency: number;
  /** By instance; one named "" when there are none. */
  initial: Map<string, JsonObject>;
}

/** Calls of one band write names of it, or of the next, and read those of bands before: so plans have no cycles. */
const BAND = 4;

/** A path before its call's band is known: how many bands from there, and what in it. */
interface Place {
  band: number;
  rest: string;
}

const rest = fc.constantFrom("a", "b", "c", "a.x", "a.y", "b.x", "a.x.deep");
const written = fc.record({ band: fc.nat(1), rest });
const read = fc.record({ band: fc.integer({ min: -4, max: -1 }), rest });
const fanOut = fc.uniqueArray(written, {
  minLength: 1,
  maxLength: 2,
  selector: ({ band, rest }) => `${band}${rest[0]}`,
});
/** A choice names an alternative by one of its paths. */
const disjoint = fc
  .tuple(fanOut, fanOut)
  .filter(([first, second]) => first.every((each) => !second.some((other) => sameBand(each, other))));
const error = fc.nat(9).map((index): Place[] => [{ band: 0, rest: `errors${index}.error` }]);
const output: fc.Arbitrary<Place[][] | null> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 4, arbitrary: fanOut.map((targets) => [targets]) },
  { weight: 3, arbitrary: disjoint },
  { weight: 2, arbitrary: fc.tuple(fanOut, error) },
);
const expression = fc.array(fc.array(read, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 3 });

/** Plans of up to 60 calls with branches, fan-outs, gates, fallbacks, instances, failures and taken targets. */
export const scenario: fc.Arbitrary<Scenario> = fc
  .record({
    calls: fc.array(
      fc.record({
        reads: fc.array(expression, { maxLength: 2 }),
        output,
        behaviour: fc.oneof(
          { weight: 6, arbitrary: fc.record({ kind: fc.constant("gives" as const), alternative: fc.nat(1) }) },
          { weight: 1, arbitrary: fc.constant({ kind: "fails" as const }) },
        ),
        instance: fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.constant("①") }),
      }),
      { minLength: 1, maxLength: 60, size: "max" },
    ),
    latencies: fc.array(fc.nat(50), { minLength: 10, maxLength: 80 }),
    concurrency: fc.integer({ min: 1, max: 12 }),
    instances: fc.integer({ min: 0, max: 3 }),
    given: fc.uniqueArray(fc.record({ band: fc.nat(14), rest }), {
      maxLength: 6,
      selector: ({ band, rest }) => `${band}${rest[0]}`,
    }),
  })
  .map(({ calls, latencies, concurrency, instances, given }) => {
    const names = ["①", "②", "③"].slice(0, instances);
    const initial = given.map((place) => pathIn(0, place));
    const known = new Set(initial);
    const plan = calls.map(({ reads, output, instance }, index): JsonObject => {
      const band = Math.floor(index / BAND);
      const own: JsonObject = instance && names.includes(instance) ? { _instance: instance } : {};
      // A reference that nothing writes makes a plan invalid: here and there one is enough.
      const bound = reads.flatMap((alternatives) => {
        const kept = alternatives
          .map((gate) => gate.map((place) => pathIn(band, place)).filter((path) => known.has(path)))
          .filter((gate) => gate.length > 0);
        return kept.length > 0 ? [joined(kept)] : [];
      });
      const targets = (output ?? []).map((fanOut) => fanOut.map((place) => pathIn(band, place)));
      if (!("_instance" in own)) for (const path of targets.flat()) known.add(path);
      const writes: JsonObject = targets.length > 0 ? { _outputPath: joined(targets) } : {};
      return { _tool: "act", _id: `c${index}`, id: `c${index}`, reads: bound, ...writes, ...own };
    });
    return {
      plan,
      behaviours: new Map(calls.map(({ behaviour }, index) => [`c${index}`, behaviour])),
      latencies,
      concurrency,
      initial: new Map(
        (names.length > 0 ? names : [""]).map((name, index) => [name, index === 1 ? {} : stateOf(initial)]),
      ),
    };
  });

function sameBand(a: Place, b: Place): boolean {
  return a.band === b.band && a.rest === b.rest;
}

function pathIn(band: number, place: Place): string {
  return `s${band + place.band}.${place.rest}`;
}

function joined(alternatives: readonly (readonly string[])[]): string {
  return alternatives.map((gate) => gate.map((path) => `†state.${path}`).join(" && ")).join(" || ");
}

/** A state in which these paths are there. */
function stateOf(paths: readonly string[]): JsonObject {
  const root: JsonObject = {};
  for (const path of paths) {
    let parent = root;
    const keys = path.split(".");
    for (const key of keys.slice(0, -1)) {
      const child = parent[key];
      const next = isJsonObject(child) ? child : {};
      parent[key] = next;
      parent = next;
    }
    parent[keys.at(-1) ?? ""] = "given";
  }
  return root;
}

/** Does what the scenario says for each call, as slowly as it says. */
export function acting({ behaviours, latencies, plan }: Scenario): Activity {
  let turn = 0;
  return async (params, _scopes, { call_id }) => {
    const wait = latencies[turn++ % latencies.length] ?? 0;
    for (let step = 0; step < wait; step++) await Promise.resolve();
    const behaviour = behaviours.get(call_id);
    if (behaviour?.kind !== "gives") throw new ActivityError("broken", call_id);
    const { _outputPath } = plan.find(({ _id }) => _id === call_id) ?? {};
    const alternatives = typeof _outputPath === "string" ? _outputPath.split(" || ") : [];
    const chosen = alternatives[Math.min(behaviour.alternative, alternatives.length - 1)]?.split(" && ")[0];
    return chosen === undefined ? String(params.id) : new Choice(chosen, String(params.id));
  };
}
