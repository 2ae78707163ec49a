import type { PlanCall } from "@/lib/plan/call.ts";
import { expressionAt } from "@/lib/plan/edit/connect.ts";
import { valueAt } from "@/lib/plan/reference.ts";
import type { Source } from "@/lib/plan/schema/schema-source.ts";
import { parameterSchema } from "@/lib/plan/schema/tool-schema.ts";
import { isJsonObject, type Json, type JsonObject } from "@/lib/session/json/json.ts";
import { type KnownPath, typeOf } from "../editor/known-paths.ts";
import type { KnownTools } from "../editor/toolbox.ts";
import { misfitOf } from "../form/fitting-paths.ts";

/** A parameter that can hold a reference, or a declared property of one: `["fields", "TITLE"]`. */
export interface Parameter {
  path: readonly string[];
  schema: Json;
  root: JsonObject;
  type: string | null;
  isRequired: boolean;
  /** Its current value as JSON; null for none. */
  value: string | null;
  /** The value is an expression, which can be joined. */
  isRead: boolean;
}

/** A call's parameters by its tool's schema, then its other ones. `isOpen`: the tool accepts additional ones. */
export function parametersOf(call: PlanCall, { tools }: KnownTools): { known: Parameter[]; isOpen: boolean } {
  const tool = tools.get(call.tool);
  const root = tool ? parameterSchema(tool) : {};
  const names = new Set([...declaredBy(root).keys(), ...Object.keys(call.parameters)]);
  const known = [...names].flatMap((name) => {
    const own = parameterAt(call, [name], root, root);
    const isWhole = own.value !== null && !isJsonObject(valueAt(call.parameters, own.path));
    const parts = isWhole ? [] : [...declaredBy(own.schema).keys()];
    return [own, ...parts.map((part) => parameterAt(call, [name, part], own.schema, root))];
  });
  return { known, isOpen: root.additionalProperties !== false };
}

function parameterAt(call: PlanCall, path: readonly string[], parent: Json, root: JsonObject): Parameter {
  const name = path.at(-1) ?? "";
  const schema = declaredBy(parent).get(name) ?? true;
  const required = isJsonObject(parent) && Array.isArray(parent.required) ? parent.required : [];
  const value = valueAt(call.parameters, path);
  return {
    ...{ path, schema, root, type: typeOf(schema), isRequired: required.includes(name) },
    value: value === undefined ? null : JSON.stringify(value),
    isRead: expressionAt(call.parameters, path) !== null,
  };
}

function declaredBy(schema: Json): Map<string, Json> {
  const properties = isJsonObject(schema) ? schema.properties : undefined;
  return new Map(isJsonObject(properties) ? Object.entries(properties) : []);
}

/** Whether no value of a source fits a parameter; false for an unknown source. */
export function misfits(source: Source | undefined, { schema, root }: Parameter): boolean {
  return source !== undefined && misfitOf(source, { schema, root }) !== null;
}

/**
 * The path that a new edge most likely reads: the first one, or, if none of the reader's required parameters takes it,
 * the part that one of them takes and that has the most words in common with it and its tool: `order.parcel_id` for
 * `parcels.trace`. Null without paths.
 */
export function likelyPath(paths: readonly KnownPath[], tool: string, parameters: readonly Parameter[]): string | null {
  const [first] = paths;
  if (!first) return null;
  const asked = parameters.filter(({ isRequired, value }) => isRequired && value === null);
  if (asked.length === 0 || asked.some((parameter) => !misfits(first.source, parameter))) return first.path;
  let likely = { path: first.path, shared: -1 };
  for (const { path, source } of paths) {
    const words = wordsOf(path.split(".").at(-1) ?? "");
    for (const parameter of asked) {
      if (misfits(source, parameter)) continue;
      const known = new Set([...wordsOf(tool), ...parameter.path.flatMap(wordsOf)]);
      const shared = words.filter((word) => known.has(word)).length;
      if (shared > likely.shared) likely = { path, shared };
    }
  }
  return likely.path;
}

/** The words of a name, in lower case and singular: `CONTACT_IDS` has contact and id. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.replace(/s$/, ""))
    .filter((word) => word !== "");
}
