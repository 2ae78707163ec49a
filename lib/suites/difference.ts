import { align } from "../session/compare/align.ts";
import { type WordChange, wordChanges } from "../session/compare/words.ts";
import { type Change, diffValues } from "../session/json/diff.ts";
import { type Json, sorted } from "../session/json/json.ts";
import type { Step, Taken } from "./case.ts";

/** What a session did, as it is compared. */
export interface Did {
  steps: readonly Step[];
  /** By instance. */
  state: Record<string, Json>;
  /** Null if that was not recorded. */
  taken: Taken | null;
}

/** A step of the recorded session beside one of the new. */
export interface StepPair {
  kind: "same" | "changed" | "removed" | "added";
  recorded: Step | null;
  now: Step | null;
  /** Of a changed call. */
  params: Change[];
  result: Change[];
  /** Of changed words; null if they differ too much to be shown by words. */
  words: WordChange[] | null;
}

/** The difference between a recorded session and a try. */
export interface Difference {
  steps: StepPair[];
  /** The index of the first pair that is not the same; null if all are. */
  first: number | null;
  /** Path by path; instances are its first keys, unless there are none. */
  state: Change[];
  taken: { recorded: Taken | null; now: Taken | null };
}

/**
 * Compares what was done: calls by tool, parameters and result, words by their text, state by path. Ids, times and steps of the
 * engine do not count.
 */
export function differenceOf(recorded: Did, now: Did): Difference {
  const steps = pairsOf(recorded.steps, now.steps);
  const first = steps.findIndex(({ kind }) => kind !== "same");
  return {
    steps,
    first: first < 0 ? null : first,
    state: diffValues(plain(recorded.state), plain(now.state)),
    taken: { recorded: recorded.taken, now: now.taken },
  };
}

function plain(state: Record<string, Json>): Json {
  const names = Object.keys(state);
  return names.length === 1 && names[0] === "" ? (state[""] ?? {}) : state;
}

/** Equal steps are aligned; between them, calls of one tool and words are paired in order. */
function pairsOf(recorded: readonly Step[], now: readonly Step[]): StepPair[] {
  const pairs: StepPair[] = [];
  let gap: readonly Step[] = [];
  const close = (others: readonly Step[]) => {
    pairs.push(...likePairs(gap, others));
    gap = [];
  };
  for (const span of align(recorded.map(wholeOf), now.map(wholeOf)).spans) {
    const before = recorded.slice(span.a, span.a + span.count);
    const after = now.slice(span.b, span.b + span.count);
    if (span.kind === "a") {
      close([]);
      gap = before;
    } else if (span.kind === "b") close(after);
    else {
      close([]);
      pairs.push(...before.map((one, index) => pairOf(one, after[index] ?? null)));
    }
  }
  close([]);
  return pairs;
}

function likePairs(recorded: readonly Step[], now: readonly Step[]): StepPair[] {
  return align(recorded.map(sortOf), now.map(sortOf)).spans.flatMap((span) =>
    Array.from({ length: span.count }, (_, index) =>
      pairOf(
        span.kind === "b" ? null : (recorded[span.a + index] ?? null),
        span.kind === "a" ? null : (now[span.b + index] ?? null),
      ),
    ),
  );
}

function pairOf(recorded: Step | null, now: Step | null): StepPair {
  const none = { params: [], result: [], words: null };
  if (!recorded) return { kind: "added", recorded, now, ...none };
  if (!now) return { kind: "removed", recorded, now, ...none };
  if (wholeOf(recorded) === wholeOf(now)) return { kind: "same", recorded, now, ...none };
  if (recorded.kind === "call" && now.kind === "call") {
    const params = diffValues(recorded.params, now.params);
    return { kind: "changed", recorded, now, params, result: diffValues(recorded.result, now.result), words: null };
  }
  const words = recorded.kind === "says" && now.kind === "says" ? wordChanges(recorded.content, now.content) : null;
  return { kind: "changed", recorded, now, params: [], result: [], words };
}

/** What makes two steps the same. */
function wholeOf(step: Step): string {
  return step.kind === "says"
    ? JSON.stringify(["says", step.content])
    : JSON.stringify(["call", step.tool, sorted(step.params), sorted(step.result)]);
}

function sortOf(step: Step): string {
  return step.kind === "says" ? "says" : `call ${step.tool}`;
}
