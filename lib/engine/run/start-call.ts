import type { Handler, RegisteredTool } from "../tools/tools.ts";
import { delegateOf } from "./schedule-call.ts";
import { watchTimeBudget } from "./termination.ts";
import { startDelegate } from "./delegate-run.ts";
import { failCall, finishCall } from "./finish-call.ts";
import { askForResult } from "./latent-call.ts";
import type { PendingStart } from "./in-flight.ts";
import { REASONS } from "./reasons.ts";
import { runActivity } from "./run-activity.ts";
import { nameOf, type RunCall } from "./run-call.ts";
import type { Runner } from "./runner.ts";

/** Starts a call that has a slot (P20). What carries it out is let go when its start is on disk (P23). */
export function startCall(run: Runner, { call, tool, params, confirmation_id, caused_by }: PendingStart): void {
  goOn(run, caused_by);
  const started = { ...nameOf(call), tool, params, attempt: call.attempt + 1 };
  run.log.emit("call.started", confirmation_id === null ? started : { ...started, confirmation_id }, { caused_by });
  if (confirmation_id !== null) run.after(() => run.engine.grants.delete(confirmation_id));
  if (!carryOut(run, call, params)) run.slots.release();
}

/** A run that waited goes on (P22). */
export function goOn(run: Runner, caused_by: string | null): void {
  if (run.state.status !== "waiting") return;
  run.log.emit("run.resumed", { reason: REASONS.decided() }, { caused_by });
  watchTimeBudget(run);
}

/** How a tool's call is carried out: by the activity that it names, else by its tool's; null for a latent one (P1). */
export function handlerOf(run: Runner, call: RunCall): Handler | null | undefined {
  const named = call.tool === call.plan.tool ? call.plan.activity : null;
  if (named === null) return run.tools.tool(call.tool)?.handler;
  // An activity that is a tool's can be named only where that tool may be used (P27).
  const { tools } = run.engine.ports;
  return tools.find(named) && !run.tools.tool(named) ? undefined : tools.activity(named);
}

/** Tells whether something is under way now; else the call has ended. */
function carryOut(run: Runner, call: RunCall, params: NonNullable<RunCall["params"]>): boolean {
  const delegate = delegateOf(call, call.tool);
  if (delegate !== null) return startDelegate(run, call, delegate, params);
  const handler = handlerOf(run, call);
  if (handler === undefined) {
    failCall(run, call, {
      code: "unknown_activity",
      message: `There is no activity ${call.plan.activity ?? call.tool}`,
    });
    return false;
  }
  if (handler) {
    runActivity(run, call, params, handler);
    return true;
  }
  return carryOutLatent(run, call, params, run.tools.tool(call.tool));
}

/** A latent tool's result stands in the call itself, or is asked of the model (P2a). */
function carryOutLatent(
  run: Runner,
  call: RunCall,
  params: NonNullable<RunCall["params"]>,
  tool: RegisteredTool | undefined,
): boolean {
  const { result } = call.plan;
  if (result !== undefined && call.tool === call.plan.tool) {
    finishCall(run, call, { value: result, chosen: null, state: undefined });
    return false;
  }
  if (run.engine.planner && tool) {
    askForResult(run, call, tool, params, run.engine.planner);
    return true;
  }
  const message = `${call.tool} has no activity, so a model has to give its result, and this server has none`;
  failCall(run, call, { code: "no_model", message });
  return false;
}
