import type { Handler } from "../../tools/tools.ts";
import type { Run } from "../run.ts";
import type { RunCall } from "../state/run-call.ts";

/** Who carries a call out: its own tool, or another that a person approved instead, which has no delegate. */
export function delegateOf({ plan }: RunCall, tool: string): string | null {
  return tool === plan.tool ? plan.delegate : null;
}
/** How a tool's call is carried out: by the activity that it names, else by its tool's; null for a latent one (P1). */
export function handlerOf(run: Run, call: RunCall): Handler | null | undefined {
  const named = call.tool === call.plan.tool ? call.plan.activity : null;
  if (named === null) return run.tools.tool(call.tool)?.handler;
  // An activity that is a tool's can be named only where that tool may be used (P27).
  const { tools } = run.env;
  return tools.find(named) && !run.tools.tool(named) ? undefined : tools.activity(named);
}
