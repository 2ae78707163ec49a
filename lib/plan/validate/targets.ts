import { isJsonObject, type Json } from "../../session/json/json.ts";
import type { OutputPath, Target } from "../output-path.ts";
import type { SchemaChecker } from "../schema/schema-checker.ts";
import { constrains } from "../schema/schema-keywords.ts";
import { partAt, type Source, schemaSource } from "../schema/schema-source.ts";
import { Comparison } from "../schema/schema-types.ts";

/** Whether an alternative of an output path can be written (P12). */
export type TargetStatus = "free" | "taken" | "below_scalar";

/** A fan-out is taken when one of its targets is, else below a scalar when one of them is (P11, P12). */
export function statusOfTargets(state: Json | undefined, fanOut: readonly Target[]): TargetStatus {
  let status: TargetStatus = "free";
  for (const { path } of fanOut) {
    const own = statusOfPath(state, path);
    if (own === "taken") return own;
    if (own === "below_scalar") status = own;
  }
  return status;
}

/** Whether a call can be started, as far as its targets are concerned (P12). */
export type OutputStatus = { is: "free" } | { is: "taken" } | { is: "below_scalar"; fanOut: readonly Target[] };

/** An output path is taken when all its alternatives are, else below a scalar when one of them is (P12). */
export function statusOfOutput(state: Json | undefined, output: OutputPath): OutputStatus {
  let taken = 0;
  let below: readonly Target[] | null = null;
  for (const fanOut of output) {
    const status = statusOfTargets(state, fanOut);
    if (status === "taken") taken += 1;
    else if (status === "below_scalar") below ??= fanOut;
  }
  if (taken === output.length) return { is: "taken" };
  return below ? { is: "below_scalar", fanOut: below } : { is: "free" };
}

function statusOfPath(state: Json | undefined, path: readonly string[]): TargetStatus {
  let value = state;
  for (const segment of path) {
    if (value === undefined) return "free";
    if (!isJsonObject(value)) return "below_scalar";
    value = Object.hasOwn(value, segment) ? value[segment] : undefined;
  }
  // The state as a whole is written key by key, so that only a state that is no object is in the way.
  if (path.length === 0) return value === undefined || isJsonObject(value) ? "free" : "below_scalar";
  return value === undefined ? "free" : "taken";
}

const ERROR_NAME = /^(error|failed|failure)$|(_error|Error)$/;

/** Whether a target is meant for errors by its last name (P10). */
export function isErrorTarget({ path }: Target): boolean {
  return ERROR_NAME.test(path.at(-1) ?? "");
}

/**
 * The alternative that takes an error (P10): the last of several, if all its targets are meant for errors by their
 * last names, or by the state's schema there. Null when there is none.
 */
export function errorAlternative(
  output: OutputPath,
  stateSchema: Json | undefined,
  checker: SchemaChecker,
): number | null {
  const last = output.length - 1;
  const fanOut = last > 0 ? output[last] : undefined;
  const isMeant = fanOut?.every((target) => isErrorTarget(target) || acceptsErrors(stateSchema, target.path, checker));
  return isMeant ? last : null;
}

/** What is written to an error alternative, in one value for all (P10). */
const ERROR = { code: "code", message: "message" };

/** A schema that says nothing there accepts everything, and is meant for nothing. */
function acceptsErrors(stateSchema: Json | undefined, path: readonly string[], checker: SchemaChecker): boolean {
  const source = stateSchema === undefined ? null : partAt(schemaSource(stateSchema), path);
  return source !== null && saysSomething(source) && isAccepted(ERROR, source, checker);
}

function saysSomething(source: Source): boolean {
  if (source.is === "schema") return constrains(source.place.schema);
  return (source.is === "all of" || source.is === "one of") && source.sources.some(saysSomething);
}

function isAccepted(value: Json, source: Source, checker: SchemaChecker): boolean {
  if (source.is === "all of") return source.sources.every((each) => isAccepted(value, each, checker));
  if (source.is === "one of") return source.sources.some((each) => isAccepted(value, each, checker));
  return source.is !== "schema" || new Comparison(checker).compare({ is: "value", value }, source.place).length === 0;
}
