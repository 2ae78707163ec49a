import { readCalls } from "../../plan/call.ts";
import { parsePath } from "../../plan/output-path.ts";
import { overlaps } from "../../plan/overlap.ts";
import { pointerTo } from "../../plan/problem.ts";
import { printReference, type Reference, valueAt } from "../../plan/reference.ts";
import type { Payload } from "../events/catalogue.ts";
import { cite } from "../json/cite.ts";
import type { Json } from "../json/json.ts";
import { callKey, planKey } from "../keys.ts";

/** A step that wrote or read a path of the state. */
export interface StateHistoryEntry {
  seq: number;
  kind: "written" | "read";
  at: string | null;
  run_id: string | null;
  iteration: number;
  instance: string;
  call_id: string | null;
  /** The call's tool; null if unknown. */
  tool: string | null;
  actor: string | null;
  /** The written or read path: the path itself, or one above or below it. */
  path: string;
  /** The written value, of a path above the part at the path; a large one as a `Ref`. Reads have none. */
  value?: Json;
}

/** The part of a step that is needed. Payloads are included where columns are not enough. */
export type HistoryStep = {
  seq: number;
  conversation_id: string;
  run_id: string | null;
  actor: string | null;
  occurred_at: string | null;
  call_id: string | null;
  iteration: number | null;
  instance: string | null;
  tool: string | null;
} & (
  | { type: "run.started" | "run.iteration" | "call.started" }
  | { type: "plan.proposed"; payload: Payload<"plan.proposed"> }
  | { type: "state.written"; payload: Payload<"state.written"> }
);

/** The types that a history is told from. */
export const HISTORY_TYPES = [
  "run.started",
  "run.iteration",
  "plan.proposed",
  "call.started",
  "state.written",
] as const satisfies HistoryStep["type"][];

/**
 * Follows a path of the state through a session's steps (C6). A call reads what its plan says when it first starts;
 * paths above and below count as the path, as for edges (P15).
 */
export class StateHistory {
  readonly #reference: Reference;
  /** Null for all instances. */
  readonly #instance: string | null;
  readonly #iterations = new Map<string, number>();
  /** By plan, the calls that read the path: call id → the path that it reads. */
  readonly #readers = new Map<string, ReadonlyMap<string, string>>();
  readonly #tools = new Map<string, string>();

  constructor(reference: Reference, instance: string | null) {
    this.#reference = reference;
    this.#instance = instance;
  }

  /** The entry of the next step; null if it does not use the path. */
  add(step: HistoryStep): StateHistoryEntry | null {
    const run = step.run_id ?? "";
    const iteration = this.#iterationOf(step, run);
    switch (step.type) {
      case "run.started":
      case "run.iteration":
        this.#iterations.set(run, iteration);
        return null;
      case "plan.proposed":
        this.#iterations.set(run, iteration);
        this.#readers.set(planKey(step.run_id, iteration), this.#readersOf(step.payload));
        return null;
      case "call.started":
        return this.#readBy(step, iteration);
      case "state.written":
        return this.#writtenBy(step, iteration);
      default:
        return step satisfies never;
    }
  }

  #iterationOf({ type, iteration }: HistoryStep, run: string): number {
    const current = this.#iterations.get(run) ?? 1;
    return iteration ?? (type === "run.iteration" ? current + 1 : current);
  }

  #readersOf({ calls }: Payload<"plan.proposed">): ReadonlyMap<string, string> {
    const readers = new Map<string, string>();
    for (const { id, reads } of readCalls(calls)) {
      const read = reads
        .flatMap(({ expression }) => expression.flat())
        .find((candidate) => overlaps(candidate, this.#reference));
      if (read) readers.set(id, printReference(read));
    }
    return readers;
  }

  #readBy(step: HistoryStep, iteration: number): StateHistoryEntry | null {
    if (step.call_id === null) return null;
    const key = callKey(step.run_id, iteration, step.instance ?? "", step.call_id);
    const isFirst = !this.#tools.has(key);
    this.#tools.set(key, step.tool ?? "");
    const path = this.#readers.get(planKey(step.run_id, iteration))?.get(step.call_id);
    return isFirst && path !== undefined && this.#isLookedAt(step)
      ? entryOf(step, { kind: "read", iteration, path })
      : null;
  }

  #writtenBy(step: HistoryStep & { type: "state.written" }, iteration: number): StateHistoryEntry | null {
    const target = parsePath(step.payload.path);
    if (!target.ok || !this.#isLookedAt(step) || !overlaps(target.value, this.#reference)) return null;
    const rest = this.#reference.path.slice(target.value.path.length);
    const value = valueAt(step.payload.value, rest);
    // A write above the path without a value for it does not change it.
    if (value === undefined) return null;
    const key = callKey(step.run_id, iteration, step.instance ?? "", step.call_id ?? "");
    return {
      ...entryOf(step, { kind: "written", iteration, path: printReference(target.value) }),
      tool: this.#tools.get(key) || null,
      value: cite(step, `/value${pointerTo(rest)}`, value),
    };
  }

  #isLookedAt({ instance }: HistoryStep): boolean {
    return this.#instance === null || (instance ?? "") === this.#instance;
  }
}

function entryOf(
  { seq, occurred_at, run_id, call_id, tool, actor, instance }: HistoryStep,
  { kind, iteration, path }: Pick<StateHistoryEntry, "kind" | "iteration" | "path">,
): StateHistoryEntry {
  return { seq, kind, at: occurred_at, run_id, iteration, instance: instance ?? "", call_id, tool, actor, path };
}
