import { z } from "zod";
import { isKnown, type SessionEvent } from "../session/event.ts";
import { isJsonObject, isSameJson, type Json } from "../session/json/json.ts";
import { jsonValue } from "../session/json/json-schema.ts";
import { costOf, type Prices } from "../session/prices.ts";
import type { ScoreTarget } from "./score.ts";
import { scoreName } from "./score-schema.ts";

const named = { name: scoreName, agent: z.string().min(1).max(200).optional() };

/** Rules that a server has at most: each reads the events of a turn once. */
const MOST_EVALUATORS = 50;

/**
 * A rule that gives each turn a score of yes or no: a tool was called, at all or before another; the turn left a value in the
 * state; it took so many seconds at most, or cost so much at most. With `agent`, only turns of that agent.
 */
const evaluator = z.discriminatedUnion("rule", [
  z.strictObject({
    ...named,
    rule: z.literal("called"),
    tool: z.string().min(1),
    before: z.string().min(1).optional(),
  }),
  z.strictObject({ ...named, rule: z.literal("state"), path: z.string().min(1), equals: jsonValue }),
  z.strictObject({ ...named, rule: z.literal("latency"), seconds: z.number().positive() }),
  z.strictObject({
    ...named,
    rule: z.literal("cost"),
    amount: z.number().positive(),
    currency: z.string().regex(/^[A-Z]{3}$/, "must be a currency such as EUR"),
  }),
]);
export type Evaluator = z.infer<typeof evaluator>;

/** The file `evaluators.json`. */
export const evaluators = z.array(evaluator).max(MOST_EVALUATORS);

/** What a rule says of a turn. */
export interface Evaluated extends ScoreTarget {
  name: string;
  value: boolean;
  comment: string | null;
}

/**
 * Evaluates a turn: the events of a top-level run from its start to its end, those of its delegates among them. A rule that does
 * not apply gives nothing: a call before another that was not called, a path that was not written, a cost that is not known.
 */
export function evaluateTurn(
  rules: readonly Evaluator[],
  events: readonly SessionEvent[],
  prices: Prices,
): Evaluated[] {
  const [start] = events;
  const end = events.at(-1);
  if (!start || !end) return [];
  return rules.flatMap((rule): Evaluated[] => {
    if (rule.agent !== undefined && rule.agent !== start.agent_id) return [];
    const found = evaluate(rule, events, prices);
    return found ? [{ seq: null, run_id: start.run_id, call_id: null, name: rule.name, ...found }] : [];
  });
}

function evaluate(
  rule: Evaluator,
  events: readonly SessionEvent[],
  prices: Prices,
): Pick<Evaluated, "value" | "comment"> | null {
  switch (rule.rule) {
    case "called": {
      const first = placeOfCall(events, rule.tool);
      if (rule.before === undefined) return { value: first >= 0, comment: null };
      const then = placeOfCall(events, rule.before);
      return then < 0 ? null : { value: first >= 0 && first < then, comment: null };
    }
    case "state": {
      const written = stateAt(events, segmentsOf(rule.path));
      if (written === undefined) return null;
      return { value: isSameJson(written, rule.equals), comment: null };
    }
    case "latency": {
      const seconds = (timeOf(events.at(-1)) - timeOf(events[0])) / 1000;
      return Number.isNaN(seconds) ? null : { value: seconds <= rule.seconds, comment: `${seconds.toFixed(1)} s` };
    }
    case "cost": {
      const costs = costOf(usageOf(events), prices);
      if (!costs || costs.some(({ currency }) => currency !== rule.currency)) return null;
      const amount = costs[0]?.amount ?? 0;
      return { value: amount <= rule.amount, comment: `${Number(amount.toPrecision(3))} ${rule.currency}` };
    }
    default:
      return rule satisfies never;
  }
}

function placeOfCall(events: readonly SessionEvent[], tool: string): number {
  return events.findIndex((event) => isKnown(event) && event.type === "call.started" && event.payload.tool === tool);
}

/** What stands at a path after these events; undefined if none of them wrote it. */
function stateAt(events: readonly SessionEvent[], path: readonly string[]): Json | undefined {
  let found: Json | undefined;
  for (const event of events) {
    if (!isKnown(event) || event.type !== "state.written") continue;
    const written = segmentsOf(event.payload.path);
    if (written.every((segment, index) => segment === path[index]))
      found = valueAt(event.payload.value, path.slice(written.length));
  }
  return found;
}

function valueAt(value: Json, path: readonly string[]): Json | undefined {
  let found: Json | undefined = value;
  for (const segment of path)
    found = found !== undefined && isJsonObject(found) && Object.hasOwn(found, segment) ? found[segment] : undefined;
  return found;
}

/** `†state.order.currency` and `order.currency` are the same. */
function segmentsOf(path: string): string[] {
  return path.replace(/^†?state\./u, "").split(".");
}

function usageOf(events: readonly SessionEvent[]) {
  return events.flatMap((event) => {
    if (!isKnown(event) || event.type !== "model.responded") return [];
    const { model, input_tokens, output_tokens } = event.payload;
    const unreported = input_tokens === undefined && output_tokens === undefined ? 1 : 0;
    return [{ model, input_tokens: input_tokens ?? 0, output_tokens: output_tokens ?? 0, unreported }];
  });
}

function timeOf(event: SessionEvent | undefined): number {
  return event ? Date.parse(event.occurred_at ?? event.recorded_at) : Number.NaN;
}
