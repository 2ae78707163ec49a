import { recordedCall } from "@/components/graph/declared.ts";
import { keyOf, readablePath } from "@/components/graph/edge/inferred-inputs.ts";
import { standingCall } from "@/components/selection/missing-inputs.ts";
import { readPlan } from "@/components/selection/planned-calls.ts";
import type { PlanCall } from "@/lib/plan/call.ts";
import { overlaps } from "@/lib/plan/overlap.ts";
import { printPath, printReference, type Reference } from "@/lib/plan/reference.ts";
import { isNamed } from "@/lib/session/failure/named-value.ts";
import type { InferredEdge } from "@/lib/session/find/inferred-edges.ts";
import { callKey, planKey } from "@/lib/session/keys.ts";
import type { Call, Session } from "@/lib/session/session.ts";

/** Where a value came from, or who used it. */
export type ValueEnd =
  | { kind: "call"; call: Call; path: string; declared: boolean }
  | { kind: "message"; seq: number; role: string };

/** A value of a call's input or output. */
export interface ValueRow {
  /** The path in the input or output; the state path of a declared one. */
  path: string;
  /** As text; null if only the path is declared. */
  value: string | null;
  ends: readonly [ValueEnd, ...ValueEnd[]];
  /** The call's error names it. */
  named: boolean;
}

/** The call's input values with their sources: first one that its error names, then in the order of the call. */
export function sourcesOf(session: Session, call: Call, edges: readonly InferredEdge[]): ValueRow[] {
  const key = keyOfCall(call);
  const rows = new Rows();
  for (const { path, parameter, writer } of declaredReads(session, call))
    rows.add(parameter || path, null, { kind: "call", call: writer, path, declared: true });
  for (const { from, to, to_path, value } of edges) {
    if (keyOf(to) !== key) continue;
    if (from.kind === "message") {
      if (from.seq <= session.at)
        rows.add(readablePath(to_path), value, { kind: "message", seq: from.seq, role: from.role });
      continue;
    }
    const source = session.calls.get(keyOf(from.call));
    if (source?.ended_seq != null)
      rows.add(readablePath(to_path), value, {
        ...{ kind: "call", call: source, path: readablePath(from.path), declared: false },
      });
  }
  return rows.inOrder(call.error?.message ?? "");
}

/** The call's output values with the calls that used them, as of the session's step. */
export function usesOf(session: Session, call: Call, edges: readonly InferredEdge[]): ValueRow[] {
  const key = keyOfCall(call);
  const rows = new Rows();
  for (const reader of declaredReaders(session, call))
    for (const { path, parameter, writer } of declaredReads(session, reader))
      if (writer === call)
        rows.add(path, null, { kind: "call", call: reader, path: parameter || path, declared: true });
  for (const { from, to, to_path, value } of edges) {
    if (from.kind === "message" || keyOf(from.call) !== key) continue;
    const reader = session.calls.get(keyOf(to));
    if (reader?.started_seq != null)
      rows.add(readablePath(from.path), value, {
        ...{ kind: "call", call: reader, path: readablePath(to_path), declared: false },
      });
  }
  return rows.inOrder("");
}

interface DeclaredRead {
  /** The state path that is read. */
  path: string;
  /** The parameter that it fills; "" if only the path is declared. */
  parameter: string;
  writer: Call;
}

/** The state paths that a call reads, with the calls that have written them. */
function declaredReads(session: Session, call: Call): DeclaredRead[] {
  const plan = session.plans.get(planKey(call.run_id, call.iteration));
  if (plan) {
    const planned = readPlan(plan);
    const reads = planned.find(({ id }) => id === call.id)?.reads ?? [];
    return reads.flatMap(({ parameter, expression }) =>
      expression.flat().flatMap((reference) =>
        planned
          .filter(({ id, output }) => id !== call.id && writes(output, reference))
          .flatMap(({ id }) => hasWritten(standingCall(session, call, id)))
          .map((writer) => ({ path: printReference(reference), parameter: printPath(parameter), writer })),
      ),
    );
  }
  if (call.reads.length === 0) return [];
  const earlier = [...session.calls.values()].filter(
    (one) => one !== call && one.run_id === call.run_id && (one.ended_seq ?? Infinity) < (call.started_seq ?? Infinity),
  );
  return recordedCall(call).reads.flatMap(({ expression }) =>
    expression.flat().flatMap((reference) => {
      // A path comes from the newest earlier call that wrote it.
      const writer = earlier.findLast((one) => one.output_path !== null && writes(recordedCall(one).output, reference));
      return hasWritten(writer).map((one) => ({ path: printReference(reference), parameter: "", writer: one }));
    }),
  );
}

/** The calls that have started and may read what a call has written. */
function declaredReaders(session: Session, call: Call): Call[] {
  const plan = session.plans.get(planKey(call.run_id, call.iteration));
  const planned = plan ? readPlan(plan) : null;
  const output = planned ? planned.find(({ id }) => id === call.id)?.output : recordedCall(call).output;
  if (!output) return [];
  const isReader = ({ reads }: PlanCall) =>
    reads.some(({ expression }) => expression.flat().some((one) => writes(output, one)));
  const readers = planned
    ? planned.filter(isReader).flatMap(({ id }) => standingCall(session, call, id) ?? [])
    : [...session.calls.values()].filter(
        (one) => one.run_id === call.run_id && one.reads.length > 0 && isReader(recordedCall(one)),
      );
  return readers.filter((one) => one !== call && one.started_seq !== null);
}

function writes(output: PlanCall["output"], reference: Reference): boolean {
  return output?.flat().some((target) => overlaps(target, reference)) ?? false;
}

function hasWritten(call: Call | undefined): Call[] {
  return call && call.status === "succeeded" ? [call] : [];
}

function keyOfCall({ run_id, iteration, instance, id }: Call): string {
  return callKey(run_id, iteration, instance, id);
}

class Rows {
  private readonly byPath = new Map<string, { path: string; value: string | null; ends: [ValueEnd, ...ValueEnd[]] }>();

  add(path: string, value: string | null, end: ValueEnd): void {
    const key = `${path} ${value ?? ""}`;
    const known = this.byPath.get(key);
    if (!known) this.byPath.set(key, { path, value, ends: [end] });
    else if (!known.ends.some((one) => isSame(one, end))) known.ends.push(end);
  }

  /** Values that a text names come first. */
  inOrder(text: string): ValueRow[] {
    const rows = [...this.byPath.values()].map((row) => ({ ...row, named: isNamed(row.value, text) }));
    return [...rows.filter(({ named }) => named), ...rows.filter(({ named }) => !named)];
  }
}

function isSame(one: ValueEnd, other: ValueEnd): boolean {
  if (one.kind === "message" || other.kind === "message")
    return one.kind === "message" && other.kind === "message" && one.seq === other.seq;
  return one.call === other.call && one.path === other.path;
}
