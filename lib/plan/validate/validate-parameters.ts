import { isJsonObject, type Json } from "../../session/json/json.ts";
import type { PlanCall } from "../call.ts";
import { type LocalizedText, localized } from "../localized-text.ts";
import { type PlanProblem, pointerTo } from "../problem.ts";
import type { Path } from "../reference.ts";
import type { Finding } from "../schema/schema-finding.ts";
import { type Source, schemaSource, TOLD } from "../schema/schema-source.ts";
import type { Comparison } from "../schema/schema-types.ts";
import { askedParameters, outputSchema } from "../schema/tool-schema.ts";
import type { Toolbox } from "../tool.ts";
import type { KnownCall } from "./validate-calls.ts";
import { type Given, nameOf } from "./validate-reads.ts";
import { isLatent } from "./validate-writes.ts";

/** Parameters against all that they have to fit, as when the call starts (P16, P27); references by their types. */
export function checkParameters(
  { call, tool, delegate }: KnownCall,
  given: Given,
  toolbox: Toolbox,
  comparison: Comparison,
): PlanProblem[] {
  if (!tool) return [];
  const reads = placesOf(call, given);
  const parameters = sourceOfParameters(call, reads);
  const named = call.delegate === null ? null : delegate;
  const problems = askedParameters({ tool, activity: call.activity, delegate: named }, toolbox).flatMap(
    ({ schema, by }) =>
      comparison
        .compare(parameters, { schema, root: schema })
        .map((finding) => parameterProblem(call, reads, finding, by)),
  );
  return [
    ...firstOfEach(problems),
    ...checkResult({ call, tool }, comparison),
    ...checkMerge({ call, tool, delegate }, comparison),
  ];
}

/** A result that stands in the call itself, against its tool's `_output` (P2a). */
function checkResult({ call, tool }: Pick<KnownCall, "call" | "tool">, comparison: Comparison): PlanProblem[] {
  const schema = tool && isLatent({ call, tool }) ? outputSchema(tool) : undefined;
  if (call.result === undefined || schema === undefined) return [];
  return comparison
    .compare({ is: "value", value: call.result }, { schema, root: schema })
    .map(({ path, ...finding }) => ({
      code: "invalid_params",
      severity: "error",
      call: call.id,
      path: pointerTo(["_output", ...path]),
      ...localized("invalid_result")`The result ${nameOf(["_output", ...path])} of ${call.id} ${finding}`,
    }));
}

/** What a strict delegate gives, against the tool's `_output` (P27). */
function checkMerge({ call, tool, delegate }: Omit<KnownCall, "back">, comparison: Comparison): PlanProblem[] {
  const schema = tool ? outputSchema(tool) : undefined;
  if (!delegate?.strict || delegate.output_schema === null || schema === undefined) return [];
  const found = comparison
    .compare(schemaSource(delegate.output_schema), { schema, root: schema })
    .find(({ certain }) => certain);
  if (!found) return [];
  const what: LocalizedText =
    found.path.length === 0 ? found : localized("at_path")`${found} (at ${nameOf(found.path)})`;
  return [
    {
      code: "type_mismatch",
      severity: "error",
      call: call.id,
      path: "/_delegate",
      ...localized(
        "delegate_result",
      )`The result of the strict delegate ${delegate.name} ${what}, as the _output of the tool ${call.tool} requires; name another delegate, or change one of the schemas`,
    },
  ];
}

/** What each read of a call gives, by its place. */
type ReadPlaces = ReadonlyMap<string, Source>;

function placesOf(call: PlanCall, given: Given): ReadPlaces {
  return new Map(call.reads.map((read) => [keyOf(read.parameter), given.get(read) ?? TOLD]));
}

/** The call's parameters with what is known of the references in them. */
function sourceOfParameters(call: PlanCall, reads: ReadPlaces): Source {
  const source = (value: Json, path: Path): Source => {
    if (typeof value === "string") {
      if (!value.startsWith("†")) return { is: "value", value };
      // What cannot be parsed is reported by itself.
      return value.startsWith("††") ? { is: "value", value: value.slice(1) } : (reads.get(keyOf(path)) ?? TOLD);
    }
    if (Array.isArray(value)) return joinItems(value.map((item, index) => source(item, [...path, index])));
    if (isJsonObject(value))
      return joinEntries(Object.entries(value).map(([key, child]) => [key, source(child, [...path, key])]));
    return { is: "value", value };
  };
  return source(call.parameters, []);
}

function keyOf(path: Path): string {
  return JSON.stringify(path);
}

/** An array without references is a value, which can be checked as a whole. */
function joinItems(items: Source[]): Source {
  const values = items.filter((item) => item.is === "value").map(({ value }) => value);
  return values.length === items.length ? { is: "value", value: values } : { is: "array", items };
}

function joinEntries(entries: [string, Source][]): Source {
  const values = entries.flatMap(([key, source]): [string, Json][] =>
    source.is === "value" ? [[key, source.value]] : [],
  );
  if (values.length === entries.length) return { is: "value", value: Object.fromEntries(values) };
  return { is: "object", entries: new Map(entries.map(([key, source]) => [key, { source, required: true }])) };
}

/** `by` names the owner of the schema, if it is not the tool's. */
function parameterProblem(call: PlanCall, reads: ReadPlaces, finding: Finding, by: LocalizedText | null): PlanProblem {
  const { certain, path, reference } = finding;
  const parameter = reference === undefined ? path : placeOfRead(reads, path);
  const name =
    parameter.length === 0
      ? localized("parameters_of")`The parameters of ${call.id}`
      : localized("parameter_of")`The parameter ${nameOf(parameter)} of ${call.id}`;
  const inner = path.slice(parameter.length);
  const said = readAs(reference, inner, finding);
  const what = by === null ? said : localized("required_by")`${said} (required by ${by})`;
  const problem = { call: call.id, path: pointerTo(parameter) };
  if (!certain) {
    return {
      ...problem,
      code: "unchecked",
      severity: "warning",
      ...localized("unchecked_parameter")`${name} ${what}; this is checked when the call starts`,
    };
  }
  if (reference === undefined)
    return {
      ...problem,
      code: "invalid_params",
      severity: "error",
      ...localized("invalid_parameter")`${name} ${what}`,
    };
  return {
    ...problem,
    code: "type_mismatch",
    severity: "error",
    ...localized("mismatched_parameter")`${name} ${what}; read another path, or change its value`,
  };
}

/** What is wrong with a parameter, or with a part of the value that it reads. */
function readAs(reference: string | undefined, inner: Path, finding: Finding): LocalizedText {
  if (reference === undefined) return finding;
  if (inner.length === 0) return localized("reads_value")`reads ${reference}, which ${finding}`;
  return localized("reads_part")`reads ${reference}, whose ${nameOf(inner)} ${finding}`;
}

/** The parameter that reads what stands at a path. */
function placeOfRead(reads: ReadPlaces, path: Path): Path {
  for (let length = 1; length < path.length; length++) {
    const place = path.slice(0, length);
    if (reads.has(keyOf(place))) return place;
  }
  return path;
}

/** Every error, and one warning for each place without an error. */
function firstOfEach(problems: readonly PlanProblem[]): PlanProblem[] {
  const seen = new Set(problems.flatMap(({ severity, path }) => (severity === "error" ? [path] : [])));
  return problems.filter(({ severity, path, message }) => {
    const key = severity === "warning" ? path : `${path} ${message}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
