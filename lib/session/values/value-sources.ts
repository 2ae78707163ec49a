import type { PlanCall, Read } from "../../plan/call.ts";
import { parsePath } from "../../plan/output-path.ts";
import { overlaps } from "../../plan/overlap.ts";
import { pointerTo } from "../../plan/problem.ts";
import { type Path, printReference, type Reference, valueAt } from "../../plan/reference.ts";
import { isNamed } from "../failure/named-value.ts";
import { placeKey } from "../find/edge-evidence.ts";
import type { InferredEdge } from "../find/inferred-edges.ts";
import { asText } from "../json/as-text.ts";
import { isRef } from "../json/cite.ts";
import type { Json } from "../json/json.ts";
import { callKey, planKey } from "../keys.ts";
import { readPlan } from "../runs/planned-calls.ts";
import type { Call, Session, Write } from "../session.ts";
import { recordedCall } from "./recorded-call.ts";

/** Where a value came from. */
export type ValueSource =
  /** `path`: a state path if declared, else a JSON Pointer into the call's output. */
  | { kind: "call"; call: Call; path: string; declared: boolean }
  | { kind: "message"; seq: number; role: string }
  /** It was read from this path of the context, and no known call wrote it. */
  | { kind: "path"; path: string };

/** A value that a call got, with its source. */
export interface SourcedValue {
  /** JSON Pointer into the parameters; null if only the state path that was read is known. */
  parameter: string | null;
  /** As text: the parameter, or the part of a longer text that was used. Null if it is no text or number. */
  value: string | null;
  source: ValueSource;
  /** The call's error has the value. */
  named: boolean;
}

/** A value of a call that another call used. */
export interface UsedValue {
  /** As in `SourcedValue`: where it comes from. */
  path: string;
  declared: boolean;
  reader: Call;
  /** As in `SourcedValue`: where it is used. */
  parameter: string | null;
  value: string | null;
}

/** A value in a call's parameters. */
interface ParameterLeaf {
  path: Path;
  value: Json;
}

/** A call may have thousands of parameters; the failed one is among the first, or it is named. */
const MOST_LEAVES = 200;
const MOST_MADE_OF = 6;
/** Stands for no key. */
const WHOLE = "";
/** A formula is short; a longer text is no formula, and its numbers say little. */
const LONGEST_FORMULA = 200;

/** A call with what its plan, or its own record, declares that it reads and writes. */
interface DeclaredCall {
  call: Call;
  reads: readonly Read[];
  /** Its targets, of the alternative that it took if that is known. */
  targets: readonly Reference[];
}

interface TargetedWrite {
  write: Write;
  target: Reference;
}

/** A write of a state path; `call` is null if its author is unknown. */
interface KnownWrite {
  seq: number;
  target: Reference;
  call: Call | null;
}

/**
 * Where the values of a session's calls came from: what plans and agents declare, else inferred edges of equal values.
 * Only what had happened before a call started is its source, so a later step of the session says the same.
 */
export class ValueSources {
  readonly #session: Session;
  readonly #edges: readonly InferredEdge[];
  /** Built when they are first needed: a session may have many thousands of calls. */
  #into: ReadonlyMap<string, InferredEdge[]> | null = null;
  readonly #plans = new Map<string, ReadonlyMap<string, PlanCall> | null>();
  readonly #declared = new Map<string | null, DeclaredCall[]>();
  readonly #writes = new Map<string | null, TargetedWrite[]>();
  readonly #writesByKey = new Map<string | null, ReadonlyMap<string, TargetedWrite[]>>();

  constructor(session: Session, edges: readonly InferredEdge[]) {
    this.#session = session;
    this.#edges = edges;
  }

  /** The values of a call whose sources are known: declared ones, inferred ones, then others that its error names. */
  of(call: Call, message = call.error?.message ?? ""): SourcedValue[] {
    const known = [...this.#declaredOf(call), ...this.#inferredOf(call)].map((one) => ({
      ...one,
      named: isNamed(one.value, message) || this.#isPartNamed(call, one, message),
    }));
    const lookedUp = parameterLeaves(call.params)
      .filter(({ path, value }) => isNamed(value, message) && !known.some((one) => isAbout(one, path)))
      .flatMap(({ path, value }): SourcedValue[] => {
        // A value that the error names is looked for even if it is too common to be followed elsewhere.
        const source = this.#withValue(value, call);
        return source ? [{ parameter: pointerTo([...path]), value: asText(value), source, named: true }] : [];
      });
    return [...known, ...lookedUp];
  }

  /** The calls that have started and used a value of a call, as declared and as inferred. */
  usesOf(call: Call): UsedValue[] {
    const written = [
      ...(this.#declaredIn(call.run_id).find((one) => one.call === call)?.targets ?? []),
      ...this.#writesOf(call.run_id).flatMap(({ write, target }) =>
        this.#authorOf(call.run_id, write) === call ? [target] : [],
      ),
    ];
    const mayRead = ({ reads }: DeclaredCall) =>
      reads.some(({ expression }) => expression.flat().some((one) => written.some((target) => overlaps(target, one))));
    const readers = written.length === 0 ? [] : this.#declaredIn(call.run_id).filter(mayRead);
    const declared = readers.flatMap(({ call: reader }) =>
      reader === call || reader.started_seq === null
        ? []
        : this.#declaredOf(reader).flatMap(({ source, ...value }) =>
            source.kind === "call" && source.call === call
              ? [{ ...value, reader, path: source.path, declared: true }]
              : [],
          ),
    );
    const key = callKey(call.run_id, call.iteration, call.instance, call.id);
    const inferred = this.#edges.flatMap(({ from, to, to_path, value }): UsedValue[] => {
      if (from.kind === "message" || placeKey(from.call) !== key) return [];
      const reader = this.#session.calls.get(placeKey(to));
      return reader && reader.started_seq !== null
        ? [{ path: from.path, declared: false, reader, parameter: to_path, value }]
        : [];
    });
    return [...declared, ...inferred];
  }

  /** What a call used itself, each value once: as inferred, else the numbers in its parameters, such as a sum's. */
  madeOf(call: Call): { value: string; source: ValueSource }[] {
    const used = new Map<string, ValueSource | null>(
      this.#inferredOf(call).flatMap(({ value, source }) => (value === null ? [] : [[value, source]])),
    );
    for (const { value } of parameterLeaves(call.params))
      for (const [number] of (asText(value) ?? "").slice(0, LONGEST_FORMULA).matchAll(/\p{N}+(?:\.\p{N}+)?/gu))
        if (!used.has(number)) used.set(number, this.#withValue(number, call));
    return [...used].flatMap(([value, source]) => (source ? [{ value, source }] : [])).slice(0, MOST_MADE_OF);
  }

  /** The state paths that a call reads, as its plan or its own record declares. */
  readsOf(call: Call): Reference[] {
    return this.#readsOf(call)
      .flatMap(({ expression }) => expression.flat())
      .filter(({ kind }) => kind === "state");
  }

  /** The newest recorded write before a call of a state path, or of a path above or below it. */
  lastWrite(call: Call, reference: Reference): Write | null {
    return this.#recordedWrites(call, reference)[0]?.write ?? null;
  }

  /** The newest earlier result with a value, as a whole or as a word of a text. */
  #withValue(value: Json, before: Call): ValueSource | null {
    const text = asText(value);
    if (text === null || text.length < 2) return null;
    let newest: ValueSource | null = null;
    let latest = 0;
    for (const call of this.#session.calls.values()) {
      const ended = call.ended_seq ?? 0;
      if (call.status !== "succeeded" || ended <= latest || ended >= (before.started_seq ?? 0)) continue;
      const leaf = parameterLeaves(call.output).find((one) => isNamed(value, asText(one.value) ?? ""));
      if (!leaf) continue;
      latest = ended;
      newest = { kind: "call", call, path: pointerTo([...leaf.path]), declared: false };
    }
    return newest;
  }

  #declaredOf(call: Call): Omit<SourcedValue, "named">[] {
    const isPlanned = this.#plannedCall(call) !== null;
    return this.#readsOf(call).flatMap(({ parameter, expression }) => {
      const reference = this.#valueOf(call, expression);
      if (reference === null) return [];
      const path = printReference(reference);
      const value = isPlanned && call.params !== null ? asText(valueAt(call.params, parameter) ?? null) : null;
      const sources = this.#writesBefore(call, reference).map(
        (write): ValueSource =>
          write.call ? { kind: "call", call: write.call, path, declared: true } : { kind: "path", path },
      );
      // What a planned call reads stands in the context, whoever wrote it; a recorded one may have been told anything.
      if (sources.length === 0 && isPlanned && call.started_seq !== null) sources.push({ kind: "path", path });
      return sources.map((source) => ({ parameter: isPlanned ? pointerTo([...parameter]) : null, value, source }));
    });
  }

  /**
   * The reference that an expression's value comes from: of the first alternative that is present, the last, for which
   * the others are only waited (P6). Null if none is present, or if that is not known, as of a memory.
   */
  #valueOf(call: Call, expression: Read["expression"]): Reference | null {
    const [first, ...others] = expression;
    if (others.length === 0) return first?.at(-1) ?? null;
    for (const gate of expression) {
      if (gate.some(({ kind }) => kind !== "state")) return null;
      if (gate.every((reference) => this.#writesBefore(call, reference).length > 0)) return gate.at(-1) ?? null;
    }
    return null;
  }

  /** The newest write of a path or of one above it, and newer ones below it, which changed it in part; newest first. */
  #writesBefore(call: Call, reference: Reference): KnownWrite[] {
    const recorded = this.#recordedWrites(call, reference).map(({ write, target }) => ({
      ...{ seq: write.seq, target, call: this.#authorOf(call.run_id, write) },
    }));
    const writes = recorded.length > 0 ? recorded : this.#declaredWrites(call, reference);
    const whole = writes.findIndex(({ target }) => target.path.length <= reference.path.length);
    return whole === -1 ? writes : writes.slice(0, whole + 1);
  }

  #recordedWrites({ run_id, instance, started_seq }: Call, reference: Reference) {
    return this.#writesNear(run_id, reference)
      .filter(({ write }) => write.instance === instance || write.instance === "")
      .filter(({ write, target }) => write.seq < (started_seq ?? Infinity) && overlaps(target, reference))
      .sort((one, other) => other.write.seq - one.write.seq);
  }

  /** Writes that were not recorded, or that later ones have replaced: of calls that should have written the path. */
  #declaredWrites({ run_id, instance, started_seq }: Call, reference: Reference): KnownWrite[] {
    return this.#declaredIn(run_id)
      .flatMap(({ call, targets }): KnownWrite[] => {
        const isBefore = call.status === "succeeded" && (call.ended_seq ?? Infinity) < (started_seq ?? Infinity);
        if (!isBefore || (call.instance !== instance && call.instance !== "")) return [];
        const target = targets.find((one) => overlaps(one, reference));
        return target ? [{ seq: call.ended_seq ?? 0, target, call }] : [];
      })
      .sort((one, other) => other.seq - one.seq);
  }

  #inferredOf(call: Call): Omit<SourcedValue, "named">[] {
    this.#into ??= Map.groupBy(this.#edges, ({ to }) => placeKey(to));
    const edges = this.#into.get(callKey(call.run_id, call.iteration, call.instance, call.id)) ?? [];
    return edges.flatMap(({ from, to_path, value }) => {
      const source = this.#sourceOf(from);
      return source ? [{ parameter: to_path, value, source }] : [];
    });
  }

  #sourceOf(from: InferredEdge["from"]): ValueSource | null {
    if (from.kind === "message")
      return from.seq > this.#session.at ? null : { kind: "message", seq: from.seq, role: from.role };
    const call = this.#session.calls.get(placeKey(from.call));
    return call && call.ended_seq !== null ? { kind: "call", call, path: from.path, declared: false } : null;
  }

  /** Whether the error names a value inside of a parameter that was read as a whole. */
  #isPartNamed({ params }: Call, one: Omit<SourcedValue, "named">, message: string): boolean {
    if (message === "" || one.value !== null || one.parameter === null) return false;
    return parameterLeaves(params).some(({ path, value }) => isAbout(one, path) && isNamed(value, message));
  }

  #readsOf(call: Call): readonly Read[] {
    return this.#plannedCall(call)?.reads ?? (call.reads.length > 0 ? recordedCall(call).reads : []);
  }

  #plannedCall({ run_id, iteration, id }: Call): PlanCall | null {
    const key = planKey(run_id, iteration);
    let calls = this.#plans.get(key);
    if (calls === undefined) {
      const plan = this.#session.plans.get(key);
      calls = plan ? new Map(readPlan(plan).map((one) => [one.id, one])) : null;
      this.#plans.set(key, calls);
    }
    return calls?.get(id) ?? null;
  }

  /** The calls of a run that declare what they read or write. */
  #declaredIn(runId: string | null): readonly DeclaredCall[] {
    let declared = this.#declared.get(runId);
    if (!declared) {
      declared = [];
      for (const call of this.#session.calls.values()) {
        if (call.run_id !== runId) continue;
        const hasOwn = call.output_path !== null || call.reads.length > 0;
        const found = this.#plannedCall(call) ?? (hasOwn ? recordedCall(call) : null);
        if (!found) continue;
        const taken = call.branch === null ? undefined : found.output?.[call.branch];
        declared.push({ call, reads: found.reads, targets: taken ?? found.output?.flat() ?? [] });
      }
      this.#declared.set(runId, declared);
    }
    return declared;
  }

  /** Those that may be of a path: with the same first key, or of the whole state. A run may have thousands. */
  #writesNear(runId: string | null, { path: [key] }: Reference): readonly TargetedWrite[] {
    if (key === undefined) return this.#writesOf(runId);
    let byKey = this.#writesByKey.get(runId);
    if (!byKey) {
      byKey = Map.groupBy(this.#writesOf(runId), ({ target: { path } }) => String(path[0] ?? WHOLE));
      this.#writesByKey.set(runId, byKey);
    }
    return [...(byKey.get(String(key)) ?? []), ...(key === WHOLE ? [] : (byKey.get(WHOLE) ?? []))];
  }

  #writesOf(runId: string | null): readonly TargetedWrite[] {
    let writes = this.#writes.get(runId);
    if (!writes) {
      writes = (this.#session.runs.get(runId ?? "")?.writes ?? []).flatMap((write) => {
        const target = parsePath(write.path);
        return target.ok ? [{ write, target: target.value }] : [];
      });
      this.#writes.set(runId, writes);
    }
    return writes;
  }

  #authorOf(runId: string | null, { call_id, iteration, instance }: Write): Call | null {
    return (call_id !== null && this.#session.calls.get(callKey(runId, iteration, instance, call_id))) || null;
  }
}

/** Whether a sourced value is, contains, or is within the parameter at a path. */
export function isAbout({ parameter }: Pick<SourcedValue, "parameter">, path: Path): boolean {
  if (parameter === null) return false;
  const leaf = pointerTo([...path]);
  return parameter === leaf || leaf.startsWith(`${parameter}/`) || parameter.startsWith(`${leaf}/`);
}

/** The first 200 values of parameters or of a result, in their order. */
export function parameterLeaves(params: Json | null): ParameterLeaf[] {
  const leaves: ParameterLeaf[] = [];
  const open: ParameterLeaf[] = params === null ? [] : [{ path: [], value: params }];
  for (let next = open.pop(); next && leaves.length < MOST_LEAVES; next = open.pop()) {
    const { path, value } = next;
    if (typeof value !== "object" || value === null || isRef(value)) leaves.push(next);
    else {
      const parts = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
      open.push(...parts.map(([key, part]) => ({ path: [...path, key], value: part })).reverse());
    }
  }
  return leaves;
}
