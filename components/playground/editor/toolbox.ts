import { overrideTool } from "@/lib/plan/schema/tool-schema.ts";
import type { DelegateShape, Tool } from "@/lib/plan/tool.ts";
import { isJsonObject, type JsonObject } from "@/lib/session/json/json.ts";

/** A tool as `GET /api/tools` lists it. */
export interface ListedTool {
  name: string;
  description: string;
  schema: JsonObject;
  requires_confirmation: boolean;
  latent: boolean;
}

/** A delegate as `GET /api/delegates` lists it, as far as the playground reads it. */
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

/** What a plan is read against, and what is offered while it is written. */
export interface KnownTools {
  tools: ReadonlyMap<string, Tool>;
  delegates: ReadonlyMap<string, DelegateShape>;
}

/** The server's tools, and over them those that come with the plan (P2a). */
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

/** A tool as it is written, as far as it can be read; null for one without a name. */
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
