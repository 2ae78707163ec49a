import type { Json, JsonObject } from "../session/json/json.ts";
import type { CallStep, Taken } from "./case.ts";
import type { Difference } from "./difference.ts";
import type { Checked, Expectation } from "./expectations.ts";
import type { Answer } from "./recorded-answers.ts";

/** A call of a try, and what answered it. */
export interface AnsweredCall {
  tool: string;
  params: JsonObject;
  from: Answer["from"];
  /** The recorded call; null if none answered. */
  recorded: Pick<CallStep, "seq" | "call_id"> | null;
  /** How many of its parameters differ from that call's. */
  differs: number;
}

/** The first step that differs from the record: its number among the pairs of the difference, from 1. */
export interface FirstDifference {
  number: number;
  is: "changed" | "removed" | "added";
  /** The tool; null for what the agent says. */
  tool: string | null;
}

/** What came of a try, without what was said and answered. */
export interface TryBrief {
  /** `stopped`: a call was not recorded and the rule is to stop there, or the try broke off. */
  outcome: "passed" | "failed" | "stopped";
  /** Why it was stopped, or its run failed; null otherwise. */
  reason: string | null;
  /** What had to hold. */
  checks: Checked[];
  /** Calls by tool, and what answered them: `recorded` the same recorded call. */
  answered: { tool: string; calls: number; recorded: number; nearest: number; stub: number }[];
  first: FirstDifference | null;
  /** How many steps differ. */
  differing: number;
  taken: Taken;
  /** What judges took to score it. */
  judged: Taken["usage"];
}

/** What came of a try. */
export interface TryResult extends TryBrief {
  conversation_id: string;
  answers: AnsweredCall[];
  difference: Difference;
}

/** The brief of a result: of its checks only those that do not hold, without their long values. */
export function briefOf({ outcome, reason, checks, answered, first, differing, taken, judged }: TryResult): TryBrief {
  const failed = checks
    .filter(({ holds }) => !holds)
    .map(({ expectation, holds, found }) => ({
      ...{ expectation: shortenedExpectation(expectation), holds },
      found: shortened(found),
    }));
  return { outcome, reason, checks: failed, answered, first, differing, taken, judged };
}

/** Longer values are only in the whole result. */
const LONGEST_FOUND = 500;

function shortened(found: Json): Json {
  const text = JSON.stringify(found);
  return text.length > LONGEST_FOUND ? `${text.slice(0, LONGEST_FOUND).toWellFormed()}…` : found;
}

function shortenedExpectation(one: Expectation): Expectation {
  if (one.kind === "state") return { ...one, equals: shortened(one.equals) };
  const isLong = "params" in one && JSON.stringify(one.params ?? {}).length > LONGEST_FOUND;
  return isLong ? { kind: one.kind, tool: one.tool } : one;
}

/** Adds up what answered calls, by tool. */
export function answeredBy(answers: readonly AnsweredCall[]): TryBrief["answered"] {
  const tools = new Map<string, TryBrief["answered"][number]>();
  for (const { tool, from } of answers) {
    const known = tools.get(tool) ?? { tool, calls: 0, recorded: 0, nearest: 0, stub: 0 };
    tools.set(tool, known);
    known.calls += 1;
    if (from !== "stop") known[from] += 1;
  }
  return [...tools.values()];
}

/** The first pair that differs. */
export function firstDifference({ steps, first }: Difference): FirstDifference | null {
  const pair = first === null ? undefined : steps[first];
  const step = pair?.recorded ?? pair?.now;
  if (first === null || !pair || !step || pair.kind === "same") return null;
  return { number: first + 1, is: pair.kind, tool: step.kind === "call" ? step.tool : null };
}

/** The tokens of a try and of its judges; null if a model did not tell them. */
export function paidTokensOf({ taken, judged }: Pick<TryBrief, "taken" | "judged">): number | null {
  return tokensOf({ ...taken, usage: [...taken.usage, ...judged] });
}

/** All tokens; null if a model did not tell them. */
export function tokensOf({ usage }: Taken): number | null {
  if (usage.length === 0 || usage.some(({ unreported }) => unreported > 0)) return null;
  return usage.reduce((sum, one) => sum + one.input_tokens + one.output_tokens, 0);
}
