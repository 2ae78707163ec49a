import { z } from "zod";
import { parseReference, valueAt } from "../plan/reference.ts";
import type { ScoreValue } from "../scores/score.ts";
import { scoreName } from "../scores/score-schema.ts";
import { identifier } from "../session/events/catalogue.ts";
import { isJsonObject, isSameJson, type Json } from "../session/json/json.ts";
import { jsonObject, jsonValue } from "../session/json/json-schema.ts";
import type { CallStep, Step } from "./case.ts";

/** Parameters that a call must have at least; without them any call of the tool counts. */
const params = jsonObject.optional();
const statePath = z
  .string()
  .max(2_000)
  .refine((path) => {
    const read = parseReference(path);
    return read.ok && read.value.kind === "state";
  }, "must be a path of the state, such as †state.order.total");

/** What must hold when a case has run. */
export const expectation = z.discriminatedUnion("kind", [
  /** The state at a path is this value. Of runs with instances, `instance` says whose. */
  z.strictObject({
    kind: z.literal("state"),
    path: statePath,
    equals: jsonValue,
    instance: z.string().max(200).optional(),
  }),
  /** A call of the tool, successful or not. */
  z.strictObject({ kind: z.literal("called"), tool: identifier, params }),
  z.strictObject({ kind: z.literal("not_called"), tool: identifier, params }),
  /** Each call of `next` comes after a call of `tool`. */
  z.strictObject({ kind: z.literal("called_before"), tool: identifier, next: identifier }),
  /** The agent says this text, in any case of letters. */
  z.strictObject({ kind: z.literal("says"), text: z.string().min(1).max(2_000) }),
  /** It does not. */
  z.strictObject({ kind: z.literal("never_says"), text: z.string().min(1).max(2_000) }),
  /** It calls the same tools with the same parameters in the same order as when it was recorded. */
  z.strictObject({ kind: z.literal("same_calls") }),
  z.strictObject({ kind: z.literal("tokens_at_most"), tokens: z.int().min(1) }),
  /** Rules and judges give each turn that they score so much at least under this name; yes is 1 and no is 0. */
  z.strictObject({ kind: z.literal("score"), name: scoreName, at_least: z.number() }),
]);
export type Expectation = z.infer<typeof expectation>;

/** What came of a case, as its expectations look at it. */
export interface Outcome {
  steps: readonly Step[];
  /** By instance; "" if there are none. */
  state: Record<string, Json>;
  /** Null if its models did not report any. */
  tokens: number | null;
  /** What rules and judges say of its turns. */
  scores: readonly { name: string; value: ScoreValue }[];
}

/** Whether an expectation holds, and what was found in its place. */
export interface Checked {
  expectation: Expectation;
  holds: boolean;
  /** The value, the number of calls or of tokens, the lowest score; null for nothing. */
  found: Json;
}

/** Checks what must hold. `recorded` is what was done when the case was recorded. */
export function checkExpectations(
  expected: readonly Expectation[],
  outcome: Outcome,
  recorded: readonly Step[],
): Checked[] {
  return expected.map((one) => ({ expectation: one, ...check(one, outcome, recorded) }));
}

function check(
  expected: Expectation,
  { steps, state, tokens, scores }: Outcome,
  recorded: readonly Step[],
): Omit<Checked, "expectation"> {
  switch (expected.kind) {
    case "state": {
      const found = stateAt(state[expected.instance ?? ""], expected.path);
      return { holds: isSameJson(found, expected.equals), found: found ?? null };
    }
    case "called":
    case "not_called": {
      const found = callsOf(steps, expected).length;
      return { holds: expected.kind === "called" ? found > 0 : found === 0, found };
    }
    case "called_before": {
      const calls = steps.filter((one) => one.kind === "call");
      const first = calls.findIndex(({ tool }) => tool === expected.tool);
      const early = calls.filter(({ tool }, index) => tool === expected.next && (first < 0 || index < first)).length;
      return { holds: early === 0, found: early };
    }
    case "says":
    case "never_says": {
      const text = expected.text.toLowerCase();
      const found = steps.find((one) => one.kind === "says" && one.content.toLowerCase().includes(text));
      const said = found?.kind === "says" ? found.content : null;
      return { holds: (said !== null) === (expected.kind === "says"), found: said };
    }
    case "same_calls": {
      const [before, after] = [recorded, steps].map((all) => all.filter((one) => one.kind === "call"));
      const same = isSameCalls(before ?? [], after ?? []);
      return { holds: same, found: after?.length ?? 0 };
    }
    case "tokens_at_most":
      return { holds: tokens !== null && tokens <= expected.tokens, found: tokens };
    case "score": {
      const values = scores.filter(({ name }) => name === expected.name).map(({ value }) => value);
      const category = values.find((value) => typeof value === "string");
      const found = category ?? (values.length === 0 ? null : Math.min(...values.map(Number)));
      return { holds: typeof found === "number" && found >= expected.at_least, found };
    }
    default:
      return expected satisfies never;
  }
}

function stateAt(state: Json | undefined, path: string): Json | undefined {
  const read = parseReference(path);
  return read.ok && state !== undefined ? valueAt(state, read.value.path) : undefined;
}

function callsOf(steps: readonly Step[], wanted: { tool: string; params?: Record<string, Json> | undefined }): Step[] {
  return steps.filter(
    (one) => one.kind === "call" && one.tool === wanted.tool && contains(one.params, wanted.params ?? {}),
  );
}

/** Whether an object has these values, whatever else it has. */
function contains(value: Json | undefined, wanted: Json): boolean {
  if (!isJsonObject(wanted)) return isSameJson(value, wanted);
  return (
    isJsonObject(value) &&
    Object.entries(wanted).every(([name, one]) => Object.hasOwn(value, name) && contains(value[name], one))
  );
}

function isSameCalls(before: readonly CallStep[], after: readonly CallStep[]): boolean {
  return (
    before.length === after.length &&
    before.every(({ tool, params: given }, index) => {
      const other = after[index];
      return other?.tool === tool && isSameJson(other.params, given);
    })
  );
}
