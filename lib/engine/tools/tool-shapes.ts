import { metaSchema, parameterSchema } from "../../plan/schema/tool-schema.ts";
import type { DelegateShape, Tool, Toolbox } from "../../plan/tool.ts";
import { isJsonObject, type JsonObject } from "../../session/json/json.ts";

/** What a plan is read against, as data: it can go to another thread. */
export interface ToolShapes {
  tools: Tool[];
  delegates: DelegateShape[];
  /** What the activity of each of these tools takes, where that is not what the tool's own schema says. */
  taken: [tool: string, schema: JsonObject][];
  /** The same of activities that calls name. */
  takenByActivity: [activity: string, schema: JsonObject][];
}

/** All of a toolbox that reading a plan can ask for: what its calls name, what their tools prescribe, and so on down its delegates' plans. */
export function shapesFor(plan: readonly JsonObject[], toolbox: Toolbox): ToolShapes {
  const tools = new Map<string, Tool | undefined>();
  const activities = new Set<string>();
  const delegates = new Map<string, DelegateShape | undefined>();
  const take = (calls: readonly JsonObject[]) => {
    for (const { _tool, _activity, _delegate } of calls) {
      if (typeof _tool === "string") takeTool(_tool);
      if (typeof _activity === "string") takeActivity(_activity);
      if (typeof _delegate === "string") takeDelegate(_delegate);
    }
  };
  const takeTool = (name: string) => {
    if (tools.has(name)) return;
    const tool = toolbox.tool(name);
    tools.set(name, tool);
    const activity = tool && prescribed(tool, "_activity");
    const delegate = tool && prescribed(tool, "_delegate");
    if (activity !== undefined) takeActivity(activity);
    if (delegate !== undefined) takeDelegate(delegate);
  };
  const takeActivity = (name: string) => {
    if (activities.has(name)) return;
    activities.add(name);
    takeTool(name);
  };
  const takeDelegate = (name: string) => {
    if (delegates.has(name)) return;
    const delegate = toolbox.delegate(name);
    delegates.set(name, delegate);
    take(delegate?.plan ?? []);
  };
  take(plan);
  const known = [...tools.values()].filter((tool) => tool !== undefined);
  // What is the tool's own schema is another object in another thread, and would be asked for twice there.
  const takenBy = (name: string, activity: string | null): [string, JsonObject][] => {
    const schema = toolbox.takenBy?.(name, activity);
    const tool = tools.get(activity ?? name);
    return schema && !(tool && parameterSchema(tool) === schema) ? [[activity ?? name, schema]] : [];
  };
  return {
    tools: known.map(({ name, description, schema, has_activity, requires_confirmation }) => ({
      ...{ name, description, schema, has_activity, requires_confirmation },
    })),
    delegates: [...delegates.values()].filter((delegate) => delegate !== undefined),
    taken: known.flatMap(({ name }) => takenBy(name, null)),
    takenByActivity: [...activities].flatMap((activity) => takenBy("", activity)),
  };
}

/** The toolbox that such shapes are of. */
export function toolboxOf({ tools, delegates, taken, takenByActivity }: ToolShapes): Toolbox {
  const toolsByName = new Map(tools.map((tool) => [tool.name, tool]));
  const delegatesByName = new Map(delegates.map((delegate) => [delegate.name, delegate]));
  const takenByTool = new Map(taken);
  const takenByName = new Map(takenByActivity);
  return {
    tool: (name) => toolsByName.get(name),
    delegate: (name) => delegatesByName.get(name),
    takenBy: (tool, activity) => (activity === null ? takenByTool.get(tool) : takenByName.get(activity)),
  };
}

function prescribed(tool: Tool, name: "_activity" | "_delegate"): string | undefined {
  const schema = metaSchema(tool, name);
  return isJsonObject(schema) && typeof schema.const === "string" ? schema.const : undefined;
}
