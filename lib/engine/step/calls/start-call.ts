import { isCallers } from "../../tools/caller-tool.ts";
import type { RegisteredTool } from "../../tools/tools.ts";
import { goOn } from "../course/resume-waiting.ts";
import type { Run } from "../run.ts";
import type { PendingStart } from "../state/in-flight.ts";
import { nameOf, type RunCall } from "../state/run-call.ts";
import { delegateOf, handlerOf } from "./call-target.ts";
import { leaveToCaller } from "./caller-call.ts";
import { startDelegate } from "./delegate-run.ts";
import { failCall, finishCall } from "./finish-call.ts";
import { askForResult } from "./latent-call.ts";
import { runActivity } from "./run-activity.ts";

/** Starts a call that has a slot (P20). It is executed when its start is on disk (P23). */
export function startCall(run: Run, { call, tool, params, confirmation_id, caused_by }: PendingStart): void {
  goOn(run, caused_by);
  const started = { ...nameOf(call), tool, params, attempt: call.attempt + 1 };
  run.log.emit("call.started", confirmation_id === null ? started : { ...started, confirmation_id }, { caused_by });
  if (confirmation_id !== null) run.after({ kind: "release_grant", confirmation_id });
  if (!carryOut(run, call, params)) run.slots.release();
}

/** Returns whether the call holds its slot; otherwise it has ended, or somebody else carries it out. */
function carryOut(run: Run, call: RunCall, params: NonNullable<RunCall["params"]>): boolean {
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
  if (isCallers(handler)) {
    leaveToCaller(run, call);
    return false;
  }
  if (handler) {
    runActivity(run, call, params, handler);
    return true;
  }
  return carryOutLatent(run, call, params, run.tools.tool(call.tool));
}

/** The result of a latent tool is in the call itself, or is requested from the model (P2a). */
function carryOutLatent(
  run: Run,
  call: RunCall,
  params: NonNullable<RunCall["params"]>,
  tool: RegisteredTool | undefined,
): boolean {
  const { result } = call.plan;
  if (result !== undefined && call.tool === call.plan.tool) {
    finishCall(run, call, { value: result, chosen: null, state: undefined });
    return false;
  }
  if (run.env.planner && tool) {
    askForResult(run, call, tool, params, run.env.planner);
    return true;
  }
  const message = `${call.tool} has no activity, so a model must produce its result, but none is configured; configure a model or register the tool with an activity`;
  failCall(run, call, { code: "no_model", message });
  return false;
}
