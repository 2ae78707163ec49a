import { overrideTool } from "@/lib/plan/schema/tool-schema.ts";
import type { DelegateShape, Tool } from "@/lib/plan/tool.ts";
import { isJsonObject, type JsonObject } from "@/lib/session/json/json.ts";

/** A tool in `GET /api/tools`. */
export interface ListedTool {
  name: string;
  description: string;
  schema: JsonObject;
  requires_confirmation: boolean;
  latent: boolean;
}

/** A delegate in `GET /api/delegates`, with the fields that are used. */
export interface ListedDelegate {
  name: string;
  description: string;
  plan?: JsonObject[];
  tools?: string[];
  input_schema?: JsonObject;
  output_schema?: DelegateShape["output_schema"];
  strict: boolean;
  writes: string[];
  max_depth?: number;
}

/** What a plan is validated against, and what completion suggests. */
export interface KnownTools {
  tools: ReadonlyMap<string, Tool>;
  delegates: ReadonlyMap<string, DelegateShape>;
}

/** The server's tools, overridden by those of the plan (P2a). */
export function knownTools(
  listed: readonly ListedTool[],
  own: readonly JsonObject[],
  delegates: readonly ListedDelegate[],
): KnownTools {
  const tools = new Map(listed.map((tool) => [tool.name, { ...tool, has_activity: !tool.latent }] as [string, Tool]));
  for (const definition of own) {
    const tool = readTool(definition);
    const earlier = tool && tools.get(tool.name);
    if (tool) tools.set(tool.name, earlier ? overrideTool(earlier, tool) : tool);
  }
  return { tools, delegates: new Map(delegates.map((delegate) => [delegate.name, shapeOf(delegate)])) };
}

/** A tool in the text; null without a name. */
function readTool({ name, description, schema, activity, requires_confirmation }: JsonObject): Tool | null {
  if (typeof name !== "string" || name === "") return null;
  return {
    name,
    description: typeof description === "string" ? description : "",
    schema: isJsonObject(schema) ? schema : {},
    has_activity: isJsonObject(activity),
    requires_confirmation: requires_confirmation === true,
  };
}

function shapeOf(delegate: ListedDelegate): DelegateShape {
  return {
    name: delegate.name,
    plan: delegate.plan ?? null,
    tools: delegate.tools ?? null,
    input_schema: delegate.input_schema ?? null,
    output_schema: delegate.output_schema ?? null,
    strict: delegate.strict,
    max_depth: delegate.max_depth ?? null,
    writes: delegate.writes,
  };
}
