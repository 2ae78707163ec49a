import type { CaseResult } from "@/lib/api/shapes.ts";

type Result = CaseResult["items"][number]["result"];
type Expectation = Result["checks"][number]["expectation"];

/** The API takes up to fifty. */
const MOST_CALLS = 40;
/** Characters of an answer's beginning. */
const LONGEST_TEXT = 200;

/**
 * What has to hold so that a try is right: its calls with their parameters, no calls of tools that it has left out, and whatever
 * else had to hold. Of a try without calls, how its last answer begins.
 */
export function expectedOf({ checks, difference: { steps } }: Result): Expectation[] {
  const calls = steps.flatMap(({ now }) => (now?.kind === "call" ? [now] : []));
  const tools = new Set(calls.map(({ tool }) => tool));
  const left = steps.flatMap(({ recorded }) =>
    recorded?.kind === "call" && !tools.has(recorded.tool) ? [recorded.tool] : [],
  );
  const said = steps.findLast(({ now }) => now?.kind === "says")?.now;
  const text = said?.kind === "says" ? (said.content.trim().split("\n")[0] ?? "").slice(0, LONGEST_TEXT) : "";
  const kept = checks.flatMap(({ expectation: one, holds }) =>
    holds && one.kind !== "same_calls" && one.kind !== "called" && one.kind !== "not_called" ? [one] : [],
  );
  const made = calls.slice(0, MOST_CALLS).map(({ tool, params }): Expectation => ({ kind: "called", tool, params }));
  const all: Expectation[] = [
    ...made,
    ...[...new Set(left)].map((tool): Expectation => ({ kind: "not_called", tool })),
    ...kept,
    ...(calls.length === 0 && text !== "" ? [{ kind: "says" as const, text }] : []),
  ];
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()].slice(0, MOST_CALLS + 10);
}
