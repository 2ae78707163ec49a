import { META_PROPERTIES } from "../../plan/call.ts";
import { pointerTo } from "../../plan/problem.ts";
import type { SchemaChecker } from "../../plan/schema/schema-checker.ts";
import { metaSchema, parameterSchema } from "../../plan/schema/tool-schema.ts";
import type { Tool } from "../../plan/tool.ts";
import { isJsonObject, type JsonObject } from "../../session/json/json.ts";
import { headerRefusal } from "./http/headers.ts";
import type { HttpTools } from "./http-activity.ts";
import type { HttpActivity } from "./tool-definition.ts";

/** A place in a definition, as a JSON Pointer, and what is wrong there. */
export interface Fault {
  path: string;
  message: string;
}

/** What keeps a tool's schema from being one: of an object, with parts that are schemas, and known meta-properties. */
export function schemaFaults(tool: Tool, checker: SchemaChecker): Fault[] {
  const { type = "object", properties = {} } = tool.schema;
  if (type !== "object") return [{ path: "/schema/type", message: 'must be "object", because parameters are named' }];
  if (!isJsonObject(properties)) return [{ path: "/schema/properties", message: "must be an object" }];
  const refusal = checker.refusal(parameterSchema(tool));
  return [
    ...(refusal === null ? [] : [{ path: "/schema", message: `is not a JSON Schema: ${refusal}` }]),
    ...metaFaults(tool, properties, checker),
  ];
}

function metaFaults(tool: Tool, properties: JsonObject, checker: SchemaChecker): Fault[] {
  return Object.keys(properties).flatMap((name) => {
    if (!name.startsWith("_")) return [];
    const path = pointerTo(["schema", "properties", name]);
    const meta = META_PROPERTIES.find((known) => known === name);
    if (meta === undefined) {
      return [{ path, message: `is not a meta-property; use ${META_PROPERTIES.join(", ")}` }];
    }
    const refusal = checker.refusal(metaSchema(tool, meta) ?? true);
    return refusal === null ? [] : [{ path, message: `is not a JSON Schema: ${refusal}` }];
  });
}

/** What keeps an HTTP activity from being called: its address or its headers. */
export function httpFaults(tool: string, activity: HttpActivity, { refuse, sealing }: HttpTools): Fault[] {
  const { url: address, method, headers } = activity;
  const url = new URL(address);
  const path = "/activity/url";
  if (url.username !== "" || url.password !== "") {
    return [{ path, message: "must not contain a user or password; send them as a header, which is stored encrypted" }];
  }
  const refused = refuse(url);
  if (refused) return [{ path, message: refused }];
  return Object.entries(headers).flatMap(([name, value]) => {
    const refusal = headerRefusal(name, value, { tool, method, url: address }, sealing);
    return refusal === null ? [] : [{ path: pointerTo(["activity", "headers", name]), message: refusal }];
  });
}
