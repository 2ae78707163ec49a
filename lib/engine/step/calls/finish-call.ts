import { schemaOf } from "../../../plan/context.ts";
import { parsePath, type Target } from "../../../plan/output-path.ts";
import { parseReference, printReference, valueAt } from "../../../plan/reference.ts";
import type { SchemaFault } from "../../../plan/schema/schema-checker.ts";
import { outputSchema, rootKeys } from "../../../plan/schema/tool-schema.ts";
import { setKey } from "../../../plan/state.ts";
import { errorAlternative, statusOfTargets } from "../../../plan/validate/targets.ts";
import { isJsonObject, type Json } from "../../../session/json/json.ts";
import type { Failure } from "../../../session/session.ts";
import type { Recorded } from "../../isolation.ts";
import { describeFaults } from "../describe-faults.ts";
import { REASONS } from "../reasons.ts";
import type { Run } from "../run.ts";
import { nameOf, placeOf, type RunCall } from "../state/run-call.ts";
import { escalateBy } from "./escalate.ts";

/** The result of a call. */
export interface CallResult {
  value: Json;
  /** The path of the alternative that its activity chose (P10); null for the first. */
  chosen: string | null;
  /** The delegate's final state, of which paths may be written back (P27). */
  state: Json | undefined;
}

/** A value that a call writes. */
interface Write {
  target: Target;
  value: Json;
}

/** The actor and the cause of the end. */
interface EventOrigin {
  actor?: string;
  caused_by?: string | null;
  /** The event where this end was recorded, for a call that was not executed. */
  recorded?: Recorded["at"];
}

/** Ends a call with a result: checks, writes and records it (P9–P13). */
export function finishCall(run: Run, call: RunCall, result: CallResult, given: EventOrigin = {}): void {
  const error = resultError(run, call, result);
  if (error) return failCall(run, call, error, given);
  const branch = alternativeOf(call, result.chosen) ?? 0;
  const fanOut = call.plan.output?.[branch] ?? [];
  const status = statusOfTargets(run.state.state(call.instance), fanOut);
  if (status === "below_scalar") return failCall(run, call, belowScalar(fanOut), given);
  const ended = { ...nameOf(call), output: result.value, ...branchOf(call, branch), ...recordedIn(given) };
  const origin = originOf(call, given);
  if (status === "taken") {
    const reason = REASONS.cameLate(fanOut.map(printReference));
    return escalateBy(run, call, run.log.emit("call.superseded", { ...ended, reason }, origin));
  }
  const caused_by = run.log.emit("call.succeeded", ended, origin);
  writeAll(run, call, writesOf(call, branch, result), { actor: origin.actor, caused_by });
  escalateBy(run, call, caused_by);
}

/** Fails a call: its error is written to its error alternative, if there is one that can be written (P10). */
export function failCall(run: Run, call: RunCall, error: Failure, given: EventOrigin = {}): void {
  const origin = originOf(call, given);
  const branch = errorBranch(run, call, error);
  if (branch === null) {
    run.log.emit("call.failed", { ...nameOf(call), error: { ...error }, ...recordedIn(given) }, origin);
    return;
  }
  const failed = { ...nameOf(call), error: { ...error }, handled: true, branch, ...recordedIn(given) };
  const caused_by = run.log.emit("call.failed", failed, origin);
  const writes = (call.plan.output?.[branch] ?? []).map((target) => ({ target, value: { ...error } }));
  writeAll(run, call, writes, { actor: origin.actor, caused_by });
}

/** Targets of which one is below a value that is not an object (P12). */
export function belowScalar(fanOut: readonly Target[]): Failure {
  const paths = fanOut.map(printReference).join(", ");
  return { code: "below_scalar", message: `${paths} cannot be written, because a value above it is not an object` };
}

/** Why a result is invalid; null if it is valid (P9, P10, P13). */
export function resultError(run: Run, call: RunCall, result: CallResult): Failure | null {
  const branch = alternativeOf(call, result.chosen);
  if (branch === null) {
    const declared = call.plan.output?.flat().map(printReference).join(", ") ?? "none";
    const message = `${call.tool} chose ${result.chosen}, which is not in the call's output path; it has ${declared}`;
    return { code: "undeclared_choice", message };
  }
  const faults = outputFaults(run, call, result.value);
  if (faults.length > 0) return { code: "invalid_output", message: describeFaults("The result is invalid", faults) };
  for (const { target, value } of writesOf(call, branch, result)) {
    const broken = target.path.length === 0 ? rootError(run, call, value) : stateFaults(run, call, target.path, value);
    if (typeof broken === "string") return { code: "invalid_output", message: broken };
    if (broken.length > 0) return { code: "invalid_output", message: describeFaults("The result is invalid", broken) };
  }
  return null;
}

/** How a result violates its tool's `_output` (P13). */
function outputFaults(run: Run, call: RunCall, value: Json): SchemaFault[] {
  const tool = run.tools.tool(call.tool);
  const schema = tool && outputSchema(tool);
  return schema === undefined ? [] : run.env.checker.faults(schema, value);
}

/** The whole `†state` accepts an object with only the keys that the tool declares (P9). */
function rootError(run: Run, call: RunCall, value: Json): string | SchemaFault[] {
  if (!isJsonObject(value)) return "The result is written to the whole †state, so it must be an object";
  const tool = run.tools.tool(call.tool);
  const declared = new Set(tool ? rootKeys(tool) : []);
  const unknown = Object.keys(value).find((key) => !declared.has(key));
  if (unknown !== undefined)
    return `The result has the key ${unknown}, which ${call.tool} does not declare in _output.properties`;
  return Object.entries(value).flatMap(([key, entry]) => stateFaults(run, call, [key], entry));
}

/** How a value violates the state's schema at its path (P13). */
function stateFaults(run: Run, call: RunCall, path: readonly string[], value: Json): SchemaFault[] {
  const schema = schemaOf(run.state.settings.context, "state", call.instance);
  if (schema === undefined) return [];
  // Checks a state with only this value: other missing properties are not this call's violations.
  let state = value;
  for (const key of [...path].reverse()) {
    const parent = {};
    setKey(parent, key, state);
    state = parent;
  }
  return run.env.checker.faults(schema, state, path);
}

/** The chosen alternative; the first without a choice, null if it is not declared (P10). */
function alternativeOf(call: RunCall, chosen: string | null): number | null {
  if (chosen === null) return 0;
  const reference = parseReference(chosen);
  if (!reference.ok) return null;
  const written = printReference(reference.value);
  const index = (call.own ?? []).findIndex((fanOut) => fanOut.some((target) => printReference(target) === written));
  return index < 0 ? null : index;
}

/** The writes of a result: to the call's own targets, and what its delegate writes back with the first (P27). */
function writesOf(call: RunCall, branch: number, { value, state }: CallResult): Write[] {
  const own = (call.own?.[branch] ?? []).map((target) => ({ target, value }));
  if (branch > 0 || state === undefined) return own;
  const back = call.back.flatMap((text): Write[] => {
    const target = parsePath(text);
    const found = target.ok ? valueAt(state, target.value.path) : undefined;
    return target.ok && found !== undefined ? [{ target: target.value, value: found }] : [];
  });
  return [...own, ...back];
}

function writeAll(run: Run, call: RunCall, writes: readonly Write[], origin: EventOrigin): void {
  for (const { target, value } of writes) {
    const written = { ...placeOf(call), path: printReference(target), value };
    run.log.emit("state.written", written, origin);
  }
}

/** The error alternative, if the error can be written there. */
function errorBranch(run: Run, call: RunCall, error: Failure): number | null {
  const { output } = call.plan;
  if (!output) return null;
  const schema = schemaOf(run.state.settings.context, "state", call.instance);
  const branch = errorAlternative(output, schema, run.env.checker);
  if (branch === null) return null;
  const fanOut = output[branch] ?? [];
  if (statusOfTargets(run.state.state(call.instance), fanOut) !== "free") return null;
  return fanOut.every(({ path }) => stateFaults(run, call, path, { ...error }).length === 0) ? branch : null;
}

function branchOf(call: RunCall, branch: number): { branch?: number } {
  return (call.plan.output?.length ?? 0) > 1 ? { branch } : {};
}

function recordedIn({ recorded }: EventOrigin): Pick<EventOrigin, "recorded"> {
  return recorded ? { recorded } : {};
}

/** Results have the tool as actor, and the call's start as cause. */
function originOf(call: RunCall, { actor, caused_by }: EventOrigin): { actor: string; caused_by: string | null } {
  return { actor: actor ?? `tool:${call.tool}`, caused_by: caused_by ?? call.event_id };
}
