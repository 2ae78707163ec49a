import type { Series } from "./counts.ts";
import { Parts, type PlacedPart, type RollupState } from "./fold.ts";
import { hourOf } from "./place.ts";

/** A score of a conversation as the rollup reads it; `run_id` is that of the step, for scores of steps. */
export interface RolledScore {
  name: string;
  kind: "number" | "boolean" | "category";
  /** Of yes or no 1 or 0. */
  value: string;
  run_id: string | null;
  call_id: string | null;
}

/** When a scored run began, epoch ms, and whose it was. */
export interface ScoredRun {
  run_id: string;
  agent_id: string | null;
  version: string | null;
  at: number;
}

export interface ScoredCall {
  run_id: string;
  call_id: string;
  tool: string | null;
}

/** Scores are added as whole numbers of this part of one, so that sums can be subtracted exactly. */
export const SCORE_UNITS = 10_000;
/** A number beyond this is counted by no average: sums have to stay exact. */
export const HIGHEST_SCORE = 1_000_000;

/**
 * What the scores of a conversation add to the rollup: each in the hour of the turn that it is about, under its agent and version,
 * of a call under its tool; those of the whole conversation in the hour in which it began. Forks are not counted.
 */
export function scoreParts(
  state: RollupState,
  scores: readonly RolledScore[],
  runs: readonly ScoredRun[],
  calls: readonly ScoredCall[],
): PlacedPart[] {
  const { began } = state;
  if (state.isFork || !began) return [];
  const runById = new Map(runs.map((run) => [run.run_id, run]));
  const toolByCall = new Map(calls.map(({ run_id, call_id, tool }) => [`${run_id} ${call_id}`, tool]));
  const parts = new Parts();
  for (const { name, kind, value, run_id, call_id } of scores) {
    const number = Number(value);
    if (kind === "number" && !(Math.abs(number) <= HIGHEST_SCORE)) continue;
    const run = runById.get(run_id ?? "");
    const hour = run ? hourOf(run.at) : began.hour;
    if (hour === null) continue;
    const series: Series = {
      ...began.series,
      kind: "score",
      ...(run && {
        agent: run.agent_id ?? began.series.agent,
        version: run.version ?? (run.agent_id === began.series.agent ? began.series.version : ""),
      }),
      tool: (call_id !== null && toolByCall.get(`${run_id} ${call_id}`)) || "",
      score: scoreSeries(name, kind, value),
    };
    const part = parts.at(hour, series);
    part.count += 1;
    if (kind !== "category") part.score_sum += Math.round(number * SCORE_UNITS);
  }
  return parts.all();
}

/** What a series of scores is called: `rating`; of yes or no `thumbs=`; of a category `topic=refund`. Names have no "=". */
export function scoreSeries(name: string, kind: RolledScore["kind"], value: string): string {
  switch (kind) {
    case "number":
      return name;
    case "boolean":
      return `${name}=`;
    case "category":
      return `${name}=${value}`;
    default:
      return kind satisfies never;
  }
}

/** The inverse; `category` is null for numbers, and for yes or no. */
export function readScoreSeries(text: string): { name: string; kind: RolledScore["kind"]; category: string | null } {
  const at = text.indexOf("=");
  if (at < 0) return { name: text, kind: "number", category: null };
  const name = text.slice(0, at);
  if (at === text.length - 1) return { name, kind: "boolean", category: null };
  return { name, kind: "category", category: text.slice(at + 1) };
}
