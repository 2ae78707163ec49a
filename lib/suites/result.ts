import type { Checked } from "./expectations.ts";
import { type FirstDifference, paidTokensOf, type TryBrief } from "./try-result.ts";
import { type Share, type Verdict, verdictOf, wilson } from "./verdict.ts";

/** What came of a case in all of its tries. */
export interface CaseResult<Try extends TryBrief = TryBrief> {
  id: string;
  title: string;
  tags: readonly string[];
  verdict: Verdict;
  /** The share of passed tries. */
  passed: Share;
  tries: Try[];
  /** The first step that differs from the record in any try; null if none does. */
  first: FirstDifference | null;
}

/** What came of a run of a suite. */
export interface SuiteResult<Try extends TryBrief = TryBrief> {
  name: string;
  /** Failed cases first, then flaky, then passed; each in the order of the suite. */
  cases: CaseResult<Try>[];
  counts: Record<Verdict, number>;
  /** The share of passed cases. Flaky ones did not pass. */
  passed: Share;
  /** Calls by tool: how many, and how many of them were answered by the same recorded call. */
  answers: { tool: string; calls: number; recorded: number }[];
  /** Of all tries and their judges; null if a model did not report them. */
  tokens: number | null;
  duration_ms: number;
}

const ORDER: Record<Verdict, number> = { failed: 0, flaky: 1, passed: 2 };

/** Adds up the tries of one case. */
export function caseResult<Try extends TryBrief>(
  { id, title, tags }: Pick<CaseResult, "id" | "title" | "tags">,
  tries: Try[],
): CaseResult<Try> {
  const passed = tries.filter(({ outcome }) => outcome === "passed").length;
  return {
    ...{ id, title, tags, tries },
    verdict: verdictOf(passed, tries.length),
    passed: wilson(passed, tries.length),
    first: tries.find(({ first }) => first !== null)?.first ?? null,
  };
}

/** Adds up the cases of a suite. */
export function suiteResult<Try extends TryBrief>(
  name: string,
  cases: readonly CaseResult<Try>[],
  duration_ms: number,
): SuiteResult<Try> {
  const counts = { passed: 0, failed: 0, flaky: 0 };
  for (const { verdict } of cases) counts[verdict] += 1;
  const tries = cases.flatMap((one) => one.tries);
  const tokens = tries.map(paidTokensOf);
  const answers = new Map<string, { tool: string; calls: number; recorded: number }>();
  for (const { tool, calls, recorded } of tries.flatMap((one) => one.answered)) {
    const known = answers.get(tool) ?? { tool, calls: 0, recorded: 0 };
    answers.set(tool, { tool, calls: known.calls + calls, recorded: known.recorded + recorded });
  }
  return {
    name,
    cases: cases.toSorted((one, other) => ORDER[one.verdict] - ORDER[other.verdict]),
    counts,
    passed: wilson(counts.passed, cases.length),
    answers: [...answers.values()].sort((one, other) => one.tool.localeCompare(other.tool)),
    tokens: tokens.every((each) => each !== null) ? tokens.reduce<number>((sum, each) => sum + (each ?? 0), 0) : null,
    duration_ms,
  };
}

/** Why a case did not pass, in sentences, each once. */
export function reasonsOf({ tries }: { tries: readonly Pick<TryBrief, "reason" | "checks">[] }): string[] {
  const all = tries.flatMap(({ reason, checks }) => [
    ...(reason === null ? [] : [reason]),
    ...checks.filter(({ holds }) => !holds).map(sentenceOf),
  ]);
  return [...new Set(all)];
}

/** What did not hold, as a sentence. */
export function sentenceOf({ expectation, found }: Checked): string {
  const value = JSON.stringify(found);
  switch (expectation.kind) {
    case "state":
      return `${expectation.path} is ${value}, not ${JSON.stringify(expectation.equals)}`;
    case "called":
      return `${expectation.tool} was not called${withParams(expectation.params)}`;
    case "not_called":
      return `${expectation.tool} was called${withParams(expectation.params)}`;
    case "called_before":
      return `${expectation.next} was called before ${expectation.tool}`;
    case "says":
      return `The agent did not say “${expectation.text}”`;
    case "never_says":
      return `The agent said “${expectation.text}”`;
    case "same_calls":
      return "It made other calls than recorded";
    case "tokens_at_most":
      return `It used ${found === null ? "an unknown number of" : value} tokens, more than ${expectation.tokens}`;
    case "score":
      return found === null
        ? `No rule and no judge gave the score ${expectation.name}`
        : `The score ${expectation.name} is ${value}, not at least ${expectation.at_least}`;
    default:
      return expectation satisfies never;
  }
}

function withParams(params: unknown): string {
  return params === undefined ? "" : ` with ${JSON.stringify(params)}`;
}
