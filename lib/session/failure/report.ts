import { buildGraph } from "../../plan/graph.ts";
import { parsePath } from "../../plan/output-path.ts";
import { printPath, printReference, valueAt } from "../../plan/reference.ts";
import { isKnown, type SessionEvent } from "../event.ts";
import type { InferredEdge } from "../find/inferred-edges.ts";
import { asText } from "../json/as-text.ts";
import type { Json } from "../json/json.ts";
import { callKey, planKey } from "../keys.ts";
import { readPlan } from "../runs/planned-calls.ts";
import type { Call, Run, Session, Write } from "../session.ts";
import { isAbout, parameterLeaves, type ValueSource, ValueSources } from "../values/value-sources.ts";
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
  source: ValueSource | null;
  /** Values that its source call used in turn. */
  madeOf: { value: string; source: ValueSource }[];
}

/** A value of the state before a failure; `write` is its last write. */
export interface StateBefore {
  path: string;
  value: Json;
  write: Write | null;
}

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
  const planned = plan ? readPlan(plan).find(({ id }) => id === call.id) : undefined;
  const sources = new ValueSources(then, edges);
  return {
    inputs: inputsOf(call, failure.message, sources),
    state: stateBefore(call, then, sources),
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

function inputsOf(call: Call, message: string, sources: ValueSources): FailureInput[] {
  const known = sources.of(call, message);
  const inputs = parameterLeaves(call.params).map(({ path, value }): FailureInput => {
    const about = known.filter((one) => isAbout(one, path));
    const found = about.find((one) => one.named) ?? about[0];
    const named = isNamed(value, message);
    const source = found?.source ?? null;
    const madeOf = named && source?.kind === "call" ? sources.madeOf(source.call) : [];
    return { path: printPath(path).replace(/^\./u, ""), value, named, source, madeOf };
  });
  // The longest named value says most: 299 rather than 2.
  const length = ({ value, named }: FailureInput) => (named ? (asText(value)?.length ?? 0) : 0);
  return inputs.sort((one, other) => length(other) - length(one));
}

/** What a call read from the state; if nobody knows, what was last written. */
function stateBefore(call: Call, session: Session, sources: ValueSources): StateBefore[] {
  const run = session.runs.get(call.run_id ?? "");
  const state = run?.state[call.instance] ?? run?.state[""] ?? null;
  if (!run || state === null) return [];
  const reads = new Map(sources.readsOf(call).map((reference) => [printReference(reference), reference]));
  const isKnown = reads.size > 0 || session.plans.has(planKey(call.run_id, call.iteration));
  if (isKnown)
    return [...reads]
      .map(([path, reference]): StateBefore => {
        return { path, value: valueAt(state, reference.path) ?? null, write: sources.lastWrite(call, reference) };
      })
      .sort((one, other) => (other.write?.seq ?? 0) - (one.write?.seq ?? 0));
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
