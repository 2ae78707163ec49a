import type { JsonObject } from "../../../session/json/json.ts";
import type { RegisteredTool } from "../../tools/tools.ts";

/** A tool that an activity carries out; the planning never runs it. */
export function tool(name: string, schema: JsonObject, more: Partial<RegisteredTool> = {}): RegisteredTool {
  return {
    name,
    description: "",
    schema,
    has_activity: true,
    requires_confirmation: false,
    effect: "change",
    guard: null,
    handler: null,
    ...more,
  };
}

/** A tool whose result the model itself gives (P2a). */
export function latentTool(name: string, schema: JsonObject): RegisteredTool {
  return tool(name, schema, { has_activity: false });
}
