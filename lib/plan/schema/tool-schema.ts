import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import { META_PROPERTIES, type MetaProperty } from "../call.ts";
import { type LocalizedText, localized } from "../localized-text.ts";
import type { DelegateShape, Tool, Toolbox } from "../tool.ts";
import type { SchemaChecker, SchemaFault } from "./schema-checker.ts";
import { resolveRef } from "./schema-place.ts";
import { rebased, refersToItself } from "./schema-rebase.ts";

/** What a tool's schema says, taken apart. */
interface Parts {
  parameters: JsonObject;
  output: Json | undefined;
  /** The schemas of meta-properties other than the result's. */
  meta: ReadonlyMap<MetaProperty, Json>;
  required: ReadonlySet<string>;
}

/** Schemas are taken apart once, so that whoever compiles a part of one finds the same object again. */
const partsOfSchemas = new WeakMap<JsonObject, Parts>();

/** The schema of a tool's parameters: its own without what begins with `_` (P1). The same object on every asking. */
export function parameterSchema(tool: Tool): JsonObject {
  return partsOf(tool).parameters;
}

/** A schema that a call's parameters must match, and its owner; null is the call's own tool. */
interface AskedParameters {
  schema: JsonObject;
  by: LocalizedText | null;
}

/**
 * All that a call's parameters have to fit: by its tool, and by what carries it out (P1, P2, P27). `delegate` is null for
 * a call that names none, undefined where there is none of that name.
 */
export function askedParameters(
  { tool, activity, delegate }: { tool: Tool; activity: string | null; delegate: DelegateShape | undefined | null },
  toolbox: Toolbox,
): AskedParameters[] {
  const asked: AskedParameters[] = [{ schema: parameterSchema(tool), by: null }];
  const add = (schema: JsonObject | null | undefined, by: () => LocalizedText) => {
    if (schema && asked.every((other) => other.schema !== schema)) asked.push({ schema, by: by() });
  };
  if (delegate !== null) {
    if (delegate?.strict)
      add(delegate.input_schema, () => localized("by_delegate")`the strict delegate ${delegate.name}`);
    return asked;
  }
  const carrier = activity === null ? undefined : toolbox.tool(activity);
  const by = () => localized("by_activity")`the activity ${activity ?? tool.name}`;
  add(carrier && parameterSchema(carrier), by);
  add(toolbox.takenBy?.(tool.name, activity), by);
  return asked;
}

/** The schema of a tool's result (P13); undefined when it declares none. The same object on every asking. */
export function outputSchema(tool: Tool): Json | undefined {
  return partsOf(tool).output;
}

/** What a tool's schema says of a meta-property, the result's too; undefined when it says nothing (P2). */
export function metaSchema(tool: Tool, name: MetaProperty): Json | undefined {
  return name === "_output" ? outputSchema(tool) : partsOf(tool).meta.get(name);
}

/** The keys that `†state` alone stands for: those that the tool's result declares (P9). */
export function rootKeys(tool: Tool): string[] {
  const output = outputSchema(tool) ?? true;
  let schema: Json | undefined = output;
  for (let step = 0; step < MOST_STEPS && isJsonObject(schema); step++) {
    if (isJsonObject(schema.properties)) return Object.keys(schema.properties);
    schema = resolveRef(schema.$ref, output)?.schema;
  }
  return [];
}

/** Definitions may refer to one another in a circle. */
const MOST_STEPS = 16;

/**
 * The call with what its tool prescribes: a meta-property that the tool's schema fixes with `const` is taken from
 * there when the call leaves it out (P2). `_output` describes the result, which only a latent call brings itself (P2a).
 */
export function effectiveCall(call: JsonObject, tool: Tool | undefined): JsonObject {
  if (!tool) return call;
  const { meta, output } = partsOf(tool);
  const isLatent = !tool.has_activity && isAbsent(call, "_activity") && isAbsent(call, "_delegate");
  const schemas: [MetaProperty, Json | undefined][] = [...meta, ["_output", isLatent ? output : undefined]];
  const prescribed = schemas.flatMap(([name, schema]): [string, Json][] => {
    if (!isAbsent(call, name) || !isJsonObject(schema) || !Object.hasOwn(schema, "const")) return [];
    return [[name, schema.const ?? null]];
  });
  // Spreading defines own keys, so that a parameter named __proto__ stays one (P8).
  return prescribed.length === 0 ? call : { ...call, ...Object.fromEntries(prescribed) };
}

/** Where a call contradicts what its tool's schema says of meta-properties, or leaves out one that it requires (P2). */
export function metaFaults(call: JsonObject, tool: Tool, checker: SchemaChecker): SchemaFault[] {
  const { meta, required } = partsOf(tool);
  return META_PROPERTIES.flatMap((name) => {
    if (name === "_output") return [];
    if (isAbsent(call, name))
      return required.has(name)
        ? [{ path: [name], ...localized("required_by_tool")`is required by the tool ${tool.name}` }]
        : [];
    const schema = meta.get(name);
    if (schema === undefined) return [];
    return checker.faults(schema, call[name] ?? null).map((fault) => ({ ...fault, path: [name, ...fault.path] }));
  });
}

/** Lays a later definition of a tool over an earlier one (P2a): the later one wins, but never with a lower risk. */
export function overrideTool<T extends Tool>(earlier: Tool, later: T): T {
  const approvals = Math.max(earlier.approvals ?? 1, later.approvals ?? 1);
  const requires_confirmation = earlier.requires_confirmation || later.requires_confirmation;
  return { ...later, requires_confirmation, ...(approvals > 1 && { approvals }) };
}

function partsOf({ schema }: Tool): Parts {
  const known = partsOfSchemas.get(schema);
  if (known) return known;
  const parts = takeApart(schema);
  partsOfSchemas.set(schema, parts);
  return parts;
}

function takeApart(schema: JsonObject): Parts {
  const properties = Object.entries(isJsonObject(schema.properties) ? schema.properties : {});
  const required = Array.isArray(schema.required) ? schema.required : [];
  const output = properties.find(([name]) => name === "_output")?.[1];
  const parameters = {
    type: "object",
    ...schema,
    properties: Object.fromEntries(properties.filter(([name]) => !name.startsWith("_"))),
    required: required.filter((name) => typeof name === "string" && !name.startsWith("_")),
  };
  return {
    parameters: refersToItself(schema) ? rebased(parameters, schema) : parameters,
    output: output === undefined ? undefined : withDefinitions(output, schema),
    meta: new Map(
      META_PROPERTIES.flatMap((name): [MetaProperty, Json][] => {
        const part = name === "_output" ? undefined : properties.find(([key]) => key === name)?.[1];
        return part === undefined ? [] : [[name, withDefinitions(part, schema)]];
      }),
    ),
    required: new Set(required.filter((name) => typeof name === "string")),
  };
}

/** A part of a schema keeps its dialect, and the definitions that it refers to by `#/$defs/…`; its own come first. */
function withDefinitions(part: Json, whole: JsonObject): Json {
  if (!isJsonObject(part)) return part;
  if (refersToItself(whole)) return rebased(part, whole);
  const shared = ["$schema", "$defs", "definitions"].flatMap((name): [string, Json][] => {
    const [own, outer] = [part[name], whole[name]];
    if (outer === undefined) return [];
    if (isJsonObject(own) && isJsonObject(outer)) return [[name, { ...outer, ...own }]];
    return own === undefined ? [[name, outer]] : [];
  });
  return shared.length === 0 ? part : { ...part, ...Object.fromEntries(shared) };
}

function isAbsent(call: JsonObject, name: MetaProperty): boolean {
  return !Object.hasOwn(call, name) || call[name] === null;
}
