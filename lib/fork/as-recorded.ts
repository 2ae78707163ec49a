import type { Engine, PlanRequest } from "../engine/engine.ts";
import type { ToolDefinition } from "../engine/tools/tool-definition.ts";
import type { JsonObject } from "../session/json/json.ts";
import type { Session } from "../session/session.ts";

/**
 * A plan with tools for simulation: tools that the session's plans name and this server lacks are replaced by tools
 * without an activity, with schemas from `recordedTools`, that return recorded results. Calls of unknown delegates become calls
 * of their tool alone.
 */
export async function asRecorded(
  engine: Pick<Engine, "validate">,
  request: PlanRequest,
  { plans, calls: happened }: Session,
  recordedTools: readonly ToolDefinition[],
): Promise<Pick<PlanRequest, "plan" | "tools">> {
  // For a run without a plan, its calls are the plan.
  const planned = [
    ...[...plans.values()].flatMap(({ calls }) => calls),
    ...[...happened.values()].map(({ tool }): JsonObject => ({ _tool: tool })),
  ];
  const { problems } = await engine.validate(request);
  /** The ids of calls that have this problem although the session's tools are known. */
  const lacking = (code: "unknown_tool" | "unknown_delegate", field: "_tool" | "_delegate") => {
    const named = new Set(planned.map((call) => call[field]));
    const found = new Set(problems.flatMap((problem) => (problem.code === code ? [problem.call] : [])));
    return request.plan.filter((call) => found.has(idOf(call)) && named.has(call[field]));
  };
  const withoutDelegate = new Set(lacking("unknown_delegate", "_delegate"));
  const missing = lacking("unknown_tool", "_tool").flatMap(({ _tool }) => (typeof _tool === "string" ? [_tool] : []));
  const tools = [...new Set(missing)].map(
    (name) =>
      recordedTools.findLast((tool) => tool.name === name) ?? {
        name,
        description: "A tool of an external agent",
        schema: { type: "object" },
        requires_confirmation: false,
      },
  );
  const plan = request.plan.map((call) => {
    if (!withoutDelegate.has(call)) return call;
    const { _delegate: _unknown, ...own } = call;
    return own;
  });
  return { plan, tools: [...request.tools, ...tools] };
}

function idOf({ _id }: JsonObject): string | null {
  return typeof _id === "string" ? _id : null;
}
