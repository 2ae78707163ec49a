import type { CaseResult } from "@/lib/api/shapes.ts";
import { comparePlans, type PlanPair } from "@/lib/session/compare/plans.ts";
import type { SessionEvent } from "@/lib/session/event.ts";
import { isJsonObject, type Json, type JsonObject } from "@/lib/session/json/json.ts";
import { emptySession, fold } from "@/lib/session/reducer/reducer.ts";
import type { View } from "@/lib/session/session.ts";
import { toView } from "@/lib/session/view.ts";

type Pair = CaseResult["items"][number]["result"]["difference"]["steps"][number];
type Call = Extract<NonNullable<Pair["recorded"]>, { kind: "call" }>;

/** A call of one side, with the id of its pair. */
interface Placed {
  id: string;
  name: string;
  call: Call;
  kind: Pair["kind"];
}

/** The calls of both sides as plans that are compared and drawn as one. */
export interface StepPlans {
  pair: PlanPair;
  a: View;
  b: View;
}

/** The id of a pair's call in the plans. */
export function callId(index: number): string {
  return `step-${index + 1}`;
}

/**
 * The calls of a case as two plans. A model's calls name no sources, so a value is taken for one that an earlier call of the same
 * side has given, if it stands in its result. Null: neither side called a tool.
 */
export function stepPlans(pairs: readonly Pair[]): StepPlans | null {
  const names = new Map<string, number>();
  const sides: { a: Placed[]; b: Placed[] } = { a: [], b: [] };
  for (const [index, { kind, recorded, now }] of pairs.entries()) {
    const tool = callOf(recorded)?.tool ?? callOf(now)?.tool;
    if (tool === undefined) continue;
    const base = tool.split(".").slice(-2).join("_").replaceAll(/\W/g, "_");
    const count = (names.get(base) ?? 0) + 1;
    names.set(base, count);
    const placed = { id: callId(index), name: count === 1 ? base : `${base}_${count}`, kind };
    const [before, after] = [callOf(recorded), callOf(now)];
    if (before) sides.a.push({ ...placed, call: before });
    if (after) sides.b.push({ ...placed, call: after });
  }
  if (sides.a.length + sides.b.length === 0) return null;
  const [a, b] = [sides.a, sides.b].map((side) => fold(emptySession("case"), eventsOf(side)));
  if (!a || !b) return null;
  const [pair] = comparePlans(a, b);
  if (!pair) return null;
  const same = new Set(sides.b.flatMap(({ id, kind }) => (kind === "same" ? [id] : [])));
  const calls = pair.calls.map((one) => (same.has(one.id) ? { ...one, standing: "same" as const, changes: [] } : one));
  return { pair: { ...pair, calls }, a: toView(a, LAST), b: toView(b, LAST) };
}

const LAST = Number.MAX_SAFE_INTEGER;

function callOf(step: Pair["recorded"]): Call | null {
  return step?.kind === "call" ? step : null;
}

function eventsOf(side: readonly Placed[]): SessionEvent[] {
  const calls = side.map(({ id, name, call }, index): JsonObject => {
    const earlier = side.slice(0, index);
    const params = withSources(call.params, earlier);
    return { ...(isJsonObject(params) ? params : {}), _tool: call.tool, _id: id, _outputPath: `†state.${name}` };
  });
  const steps: [type: string, payload: JsonObject][] = [
    ["run.started", { iteration: 1 }],
    ["plan.proposed", { iteration: 1, calls }],
    ...side.flatMap(({ id, call }): [string, JsonObject][] => {
      const base = { call_id: id, tool: call.tool, iteration: 1 };
      const started: [string, JsonObject] = ["call.started", { ...base, params: call.params }];
      if (call.result === null) return [started];
      return call.result.ok
        ? [started, ["call.succeeded", { ...base, output: call.result.output }]]
        : [started, ["call.failed", { ...base, error: call.result.error }]];
    }),
  ];
  return steps.map(([type, payload], index) => ({
    ...{ id: `e${index}`, conversation_id: "case", seq: index + 1, position: index + 1, type, payload },
    ...{ actor: null, agent_id: null, run_id: "run", parent_run_id: null, caused_by: null },
    ...{ occurred_at: null, recorded_at: "" },
  }));
}

/** Values of earlier results as references to them: the newest counts. */
function withSources(value: Json, earlier: readonly Placed[]): Json {
  if (Array.isArray(value)) return value.map((one) => withSources(one, earlier));
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withSources(one, earlier)]));
  if (!isTelling(value)) return value;
  for (const { name, call } of earlier.toReversed()) {
    const path = call.result?.ok ? pathOf(call.result.output, String(value)) : null;
    if (path !== null) return `†state.${[name, ...path].join(".")}`;
  }
  return value;
}

/** Shorter values are in many results by chance. */
const SHORTEST = 3;

function isTelling(value: Json): value is string | number {
  return (typeof value === "string" || typeof value === "number") && String(value).length >= SHORTEST;
}

/** The path of a value in a result, whose keys can stand in a reference; null for none. */
function pathOf(value: Json, wanted: string, depth = 0): string[] | null {
  if (depth > DEEPEST) return null;
  if (typeof value === "string" || typeof value === "number") return String(value) === wanted ? [] : null;
  if (typeof value !== "object" || value === null) return null;
  for (const [name, one] of Object.entries(value)) {
    if (!/^\w+$/.test(name)) continue;
    const path = pathOf(one, wanted, depth + 1);
    if (path) return [name, ...path];
  }
  return null;
}

const DEEPEST = 8;
