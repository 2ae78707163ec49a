import type { PlanCall } from "@/lib/plan/call.ts";
import { parameterSchema } from "@/lib/plan/schema/tool-schema.ts";
import { isJsonObject, type Json } from "@/lib/session/json/json.ts";
import { typeOf } from "./known-paths.ts";
import type { KnownTools } from "./toolbox.ts";

/** A parameter in which a call can read a path. */
export interface Parameter {
  name: string;
  type: string | null;
  isRequired: boolean;
  /** What stands there now, as JSON; null for nothing. */
  value: string | null;
}

/** A call's parameters by its tool's schema, then others that it has. `isOpen`: the tool takes any others, too. */
export function parametersOf(call: PlanCall, { tools }: KnownTools): { known: Parameter[]; isOpen: boolean } {
  const tool = tools.get(call.tool);
  const schema = tool ? parameterSchema(tool) : {};
  const declared: Record<string, Json> = isJsonObject(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const names = new Set([...Object.keys(declared), ...Object.keys(call.parameters)]);
  const known = [...names].map((name) => ({
    name,
    type: typeOf(declared[name]),
    isRequired: required.has(name),
    value: Object.hasOwn(call.parameters, name) ? JSON.stringify(call.parameters[name]) : null,
  }));
  return { known, isOpen: schema.additionalProperties !== false };
}
