import { type PlanCall, readCalls } from "../../plan/call.ts";
import { buildGraph } from "../../plan/graph.ts";
import { parsePath } from "../../plan/output-path.ts";
import { overlaps } from "../../plan/overlap.ts";
import { pointerTo } from "../../plan/problem.ts";
import {
  type Expression,
  type Path,
  printPath,
  printReference,
  type Reference,
  valueAt,
} from "../../plan/reference.ts";
import { isKnown, type SessionEvent } from "../event.ts";
import type { InferredEdge } from "../find/inferred-edges.ts";
import { asText } from "../json/as-text.ts";
import { isRef } from "../json/cite.ts";
import type { Json } from "../json/json.ts";
import { callKey, planKey } from "../keys.ts";
import type { Call, Run, Session, Write } from "../session.ts";
import { type FAILURE_TYPES, failureOf, type RecordedFailure } from "./failure.ts";
import { isNamed } from "./named-value.ts";

/** What a failure is about, in the order in which people ask. */
export interface FailureReport {
  seq: number;
  kind: FailureKind;
  failure: RecordedFailure;
  /** The failed call as it was then; null for the failure of a run, a model or a plan. */
  call: Call | null;
  /** The run of the call or of the event. */
  run: Run | null;
  /** The call's parameters, those that the error names first. */
  inputs: FailureInput[];
  /** What the call read from the state, or what was last written before it; newest first. */
  state: StateBefore[];
  /** The calls that need it and never ran. */
  blocked: Call[];
  /** The state paths that it should have written. */
  unwritten: string[];
  /** How its run ended; null while it goes on. */
  ended: Run | null;
  /** The next call of the same tool that succeeded; null if there is none. */
  recovered: Call | null;
}

/** What failed; `alert`: nothing, but a manager was called. */
export type FailureKind = "call" | "delegate" | "model" | "plan" | "run" | "alert";

/** A value of a failed call. */
export interface FailureInput {
  /** `passengers[0].dob` */
  path: string;
  value: Json;
  /** The error's message has this value. */
  named: boolean;
  source: FailureSource | null;
  /** Values that its source call used in turn. */
  madeOf: { value: string; source: FailureSource }[];
}

/** Where a value came from. */
export type FailureSource =
  /** `declared`: the plan says so; else inferred from equal values. */
  | { kind: "call"; call: Call; path: string; declared: boolean }
  | { kind: "message"; seq: number; role: string }
  /** The plan reads it from the state, and no known call wrote it. */
  | { kind: "state"; path: string };

/** A value of the state before a failure; `write` is its last write. */
export interface StateBefore {
  path: string;
  value: Json;
  write: Write | null;
}

/** A call may have thousands of parameters; the failed one is among the first, or it is named. */
const MOST_INPUTS = 200;
const MOST_MADE_OF = 6;
/** A formula is short; a longer text is no formula, and its numbers say little. */
const LONGEST_FORMULA = 200;
/** Written paths of a call without a plan, of which nobody knows what it read. */
const MOST_WRITES = 3;

/**
 * The report of the failure that an event recorded, or of a call for a manager; null for other events.
 *
 * `then` is the session after the event, `now` a later one. `edges` are the inferred edges of its run.
 */
export function failureReport(
  event: SessionEvent,
  then: Session,
  now: Session,
  edges: readonly InferredEdge[],
): FailureReport | null {
  const [kind, failure] = whatFailed(event);
  if (kind === null || failure === null) return null;
  const call = failedCall(event, then);
  const run = then.runs.get(call?.run_id ?? event.run_id ?? "") ?? null;
  const latest = run && (now.runs.get(run.id) ?? run);
  const about = { failure, then, now, edges };
  return {
    seq: event.seq,
    kind,
    failure,
    call,
    run,
    ...(call ? reportOfCall(call, about) : { inputs: [], state: [], blocked: [], unwritten: [], recovered: null }),
    ended: latest && latest.ended_seq !== null ? latest : null,
  };
}

function whatFailed(event: SessionEvent): [FailureKind | null, RecordedFailure | null] {
  if (!isKnown(event)) return [null, null];
  if (event.type === "manager.alerted") return ["alert", { name: null, code: null, message: event.payload.text }];
  return [KINDS.get(event.type) ?? null, failureOf(event)];
}

const KINDS: ReadonlyMap<string, FailureKind> = new Map<(typeof FAILURE_TYPES)[number], FailureKind>([
  ["call.failed", "call"],
  ["delegate.finished", "delegate"],
  ["model.failed", "model"],
  ["plan.rejected", "plan"],
  ["run.failed", "run"],
]);

interface About {
  failure: RecordedFailure;
  then: Session;
  now: Session;
  edges: readonly InferredEdge[];
}

function reportOfCall(call: Call, { failure, then, now, edges }: About) {
  const plan = then.plans.get(planKey(call.run_id, call.iteration));
  const planned = plan ? readCalls(plan.calls, plan.outputs).find(({ id }) => id === call.id) : undefined;
  const sources = new Sources(then, edges);
  return {
    inputs: inputsOf(call, failure.message, planned, sources),
    state: stateBefore(call, then, planned),
    blocked: blockedBy(call, now),
    unwritten: planned?.output?.flat().map(printReference) ?? (call.output_path === null ? [] : [call.output_path]),
    recovered: recoveryOf(call, now),
  };
}

/** A delegate's own events name the parent's call that it executes. */
function failedCall(event: SessionEvent, session: Session): Call | null {
  if (!isKnown(event) || (event.type !== "call.failed" && event.type !== "delegate.finished")) return null;
  const { call_id, iteration, instance = "" } = event.payload;
  if (call_id === undefined) return null;
  const run = event.type === "call.failed" ? event.run_id : event.parent_run_id;
  const counted = iteration ?? session.runs.get(run ?? "")?.iteration ?? 1;
  return session.calls.get(callKey(run, counted, instance, call_id)) ?? null;
}

function inputsOf(call: Call, message: string, planned: PlanCall | undefined, sources: Sources): FailureInput[] {
  const inputs = leavesOf(call.params).map(({ path, value }): FailureInput => {
    const read = planned?.reads.find(({ parameter }) => isWithin(path, parameter));
    const named = isNamed(value, message);
    const known = sources.of(call, path, read ? valuesOf(read.expression) : []);
    // A value that the error names is looked for even if it is too common to be followed elsewhere.
    const source = known ?? (named ? sources.withValue(value, call) : null);
    const madeOf = named && source?.kind === "call" ? sources.usedBy(source.call) : [];
    return { path: printPath(path).replace(/^\./u, ""), value, named, source, madeOf };
  });
  // The longest named value says most: 299 rather than 2.
  const length = ({ value, named }: FailureInput) => (named ? (asText(value)?.length ?? 0) : 0);
  return inputs.sort((one, other) => length(other) - length(one));
}

class Sources {
  readonly #session: Session;
  readonly #edges: ReadonlyMap<string, InferredEdge[]>;

  constructor(session: Session, edges: readonly InferredEdge[]) {
    this.#session = session;
    this.#edges = Map.groupBy(edges, ({ to }) => callKey(to.run_id, to.iteration, to.instance, to.call_id));
  }

  of(call: Call, path: Path, reads: readonly Reference[]): FailureSource | null {
    for (const reference of reads) {
      const written = lastWrite(this.#session, call, reference);
      const writer = written && this.#callOf(call, written);
      if (writer) return { kind: "call", call: writer, path: written.path, declared: true };
      if (written) return { kind: "state", path: printReference(reference) };
    }
    const edge = this.#into(call).find(({ to_path }) => to_path === pointerTo([...path]));
    return edge ? this.#sourceOf(edge) : null;
  }

  /** The newest earlier result with a value, as a whole or as a word of a text. */
  withValue(value: Json, before: Call): FailureSource | null {
    const text = asText(value);
    if (text === null || text.length < 2) return null;
    let newest: FailureSource | null = null;
    let latest = 0;
    for (const call of this.#session.calls.values()) {
      const ended = call.ended_seq ?? 0;
      if (call.status !== "succeeded" || ended <= latest || ended >= (before.started_seq ?? 0)) continue;
      const leaf = leavesOf(call.output).find((one) => isNamed(value, asText(one.value) ?? ""));
      if (!leaf) continue;
      latest = ended;
      newest = { kind: "call", call, path: pointerTo([...leaf.path]), declared: false };
    }
    return newest;
  }

  /** What a call used itself, each value once: as inferred, else the numbers in its parameters, such as a sum's. */
  usedBy(call: Call): FailureInput["madeOf"] {
    const used = new Map(this.#into(call).map((edge) => [edge.value, this.#sourceOf(edge)]));
    for (const { value } of leavesOf(call.params))
      for (const [number] of (asText(value) ?? "").slice(0, LONGEST_FORMULA).matchAll(/\p{N}+(?:\.\p{N}+)?/gu))
        if (!used.has(number)) used.set(number, this.withValue(number, call));
    return [...used].flatMap(([value, source]) => (source ? [{ value, source }] : [])).slice(0, MOST_MADE_OF);
  }

  #into(call: Call): InferredEdge[] {
    return this.#edges.get(callKey(call.run_id, call.iteration, call.instance, call.id)) ?? [];
  }

  #sourceOf({ from }: InferredEdge): FailureSource | null {
    if (from.kind === "message") return { kind: "message", seq: from.seq, role: from.role };
    const { run_id, iteration, instance, call_id } = from.call;
    const call = this.#session.calls.get(callKey(run_id, iteration, instance, call_id));
    return call ? { kind: "call", call, path: from.path, declared: false } : null;
  }

  #callOf({ run_id }: Call, { call_id, iteration, instance }: Write): Call | null {
    return (call_id !== null && this.#session.calls.get(callKey(run_id, iteration, instance, call_id))) || null;
  }
}

/** The newest write of a path, or of a path above or below it. */
function lastWrite(session: Session, { run_id, instance }: Call, reference: Reference): Write | null {
  if (reference.kind !== "state") return null;
  const writes = session.runs.get(run_id ?? "")?.writes ?? [];
  return writes
    .filter((write) => write.instance === instance || write.instance === "")
    .filter(({ path }) => {
      const written = parsePath(path);
      return written.ok && overlaps(written.value, reference);
    })
    .reduce<Write | null>((newest, write) => (newest === null || write.seq > newest.seq ? write : newest), null);
}

function stateBefore(call: Call, session: Session, planned: PlanCall | undefined): StateBefore[] {
  const run = session.runs.get(call.run_id ?? "");
  const state = run?.state[call.instance] ?? run?.state[""] ?? null;
  if (!run || state === null) return [];
  const read = new Map(
    (planned?.reads ?? [])
      .flatMap(({ expression }) => expression.flat())
      .flatMap((reference) => (reference.kind === "state" ? [[printReference(reference), reference] as const] : [])),
  );
  const found = [...read].map(([path, reference]): StateBefore => {
    return { path, value: valueAt(state, reference.path) ?? null, write: lastWrite(session, call, reference) };
  });
  if (planned) return found.sort((one, other) => (other.write?.seq ?? 0) - (one.write?.seq ?? 0));
  return [...run.writes]
    .sort((one, other) => other.seq - one.seq)
    .slice(0, MOST_WRITES)
    .map((write) => {
      const reference = parsePath(write.path);
      return { path: write.path, value: (reference.ok ? valueAt(state, reference.value.path) : null) ?? null, write };
    });
}

/** The calls after it in its plan that have not run. */
function blockedBy(call: Call, now: Session): Call[] {
  const plan = now.plans.get(planKey(call.run_id, call.iteration));
  if (!plan) return [];
  const readers = Map.groupBy(buildGraph(plan.calls, plan.outputs).edges, ({ from }) => from);
  const after = new Set([call.id]);
  for (const id of after) for (const { to } of readers.get(id) ?? []) after.add(to);
  return [...now.calls.values()].filter(
    (one) =>
      one.run_id === call.run_id &&
      one.iteration === call.iteration &&
      (one.instance === call.instance || one.instance === "") &&
      one.id !== call.id &&
      after.has(one.id) &&
      one.started_seq === null &&
      one.parked_seq === null,
  );
}

/** The same call when it was run again, or the next one of its tool. */
function recoveryOf(call: Call, now: Session): Call | null {
  const failed = call.ended_seq ?? 0;
  let recovery: Call | null = null;
  for (const one of now.calls.values()) {
    if (one.tool !== call.tool || one.status !== "succeeded" || (one.ended_seq ?? 0) <= failed) continue;
    if (recovery === null || (one.ended_seq ?? 0) < (recovery.ended_seq ?? 0)) recovery = one;
  }
  return recovery;
}

/** The values of parameters, in their order. */
function leavesOf(params: Json | null): { path: Path; value: Json }[] {
  const leaves: { path: Path; value: Json }[] = [];
  const open: { path: Path; value: Json }[] = params === null ? [] : [{ path: [], value: params }];
  for (let next = open.pop(); next && leaves.length < MOST_INPUTS; next = open.pop()) {
    const { path, value } = next;
    if (typeof value !== "object" || value === null || isRef(value)) leaves.push(next);
    else {
      const parts = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
      open.push(...parts.map(([key, part]) => ({ path: [...path, key], value: part })).reverse());
    }
  }
  return leaves;
}

/** What an expression may read: of each alternative the last, for which the others are only waited (P6). */
function valuesOf(expression: Expression): Reference[] {
  return expression.flatMap((alternative) => alternative.at(-1) ?? []);
}

function isWithin(path: Path, parameter: Path): boolean {
  return parameter.every((part, index) => part === path[index]);
}
