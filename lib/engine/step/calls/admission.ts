import { printReference } from "../../../plan/reference.ts";
import type { SchemaFault } from "../../../plan/schema/schema-checker.ts";
import { askedParameters } from "../../../plan/schema/tool-schema.ts";
import { statusOfOutput } from "../../../plan/validate/targets.ts";
import { isSameJson, type JsonObject } from "../../../session/json/json.ts";
import type { Failure } from "../../../session/session.ts";
import { describeFaults } from "../describe-faults.ts";
import { REASONS } from "../reasons.ts";
import type { Run } from "../run.ts";
import type { PendingStart } from "../state/in-flight.ts";
import { earlierKey, nameOf, type RunCall } from "../state/run-call.ts";
import { controlOf } from "./approval-policy.ts";
import { delegateOf } from "./call-target.ts";
import { belowScalar, failCall } from "./finish-call.ts";

/** Checks a call's targets and parameters (P2, P12); ends a call that cannot start. Returns whether it may start. */
export function admit(run: Run, ready: PendingStart): boolean {
  if (endsUnstarted(run, ready)) return false;
  const { call, tool, params } = ready;
  const error = paramsError(run, call, tool, params);
  if (error) failUnstarted(run, ready, error);
  return !error;
}

/** Ends a call that is already done, or of which nothing can be written (P12, P19b). Returns whether it did. */
export function endsUnstarted(run: Run, ready: PendingStart): boolean {
  const { call, tool, params, caused_by } = ready;
  const earlier = run.state.earlier.get(earlierKey(call))?.find((before) => isRepeated(before, call, tool, params));
  const { output } = call.plan;
  const status = output === null ? null : statusOfOutput(run.state.state(call.instance), output);
  if (earlier || status?.is === "taken") {
    const reason = earlier ? REASONS.alreadyDone() : REASONS.alreadyThere((output ?? []).flat().map(printReference));
    run.log.emit("call.skipped", { ...nameOf(call), reason }, { caused_by: earlier?.event_id ?? caused_by });
    return true;
  }
  const error = status?.is === "below_scalar" ? belowScalar(status.fanOut) : stageError(run, ready);
  if (error) failUnstarted(run, ready, error);
  return error !== null;
}

/** Records its start and end together, so that the log has its parameters. */
function failUnstarted(run: Run, { call, tool, params, caused_by }: PendingStart, error: Failure): void {
  run.log.emit("call.started", { ...nameOf(call), tool, params, attempt: call.attempt + 1 }, { caused_by });
  failCall(run, call, error);
}

/** A handoff is possible only in a directed turn, by an agent that has the tool (D5). */
function stageError(run: Run, ready: PendingStart): Failure | null {
  const { directed, allowed_tools } = run.state.settings;
  if (controlOf(run, ready) !== "hand_over" || (directed && allowed_tools !== null)) return null;
  const message = `${ready.tool} hands the turn to another agent, but none is configured; add an agent for that stage`;
  return { code: "no_stage", message };
}

/** The violations of the tool's and a strict delegate's schema by parameters, edited ones included (P2, P27). */
function paramsError(run: Run, call: RunCall, tool: string, params: JsonObject): Failure | null {
  if (!run.tools.tool(tool)) return { code: "unknown_tool", message: `The tool ${tool} no longer exists` };
  const faults = paramsFaults(run, call, tool, params);
  return faults.length === 0
    ? null
    : { code: "invalid_params", message: describeFaults("The parameters are invalid", faults) };
}

/** Where parameters violate the schema of the tool or its executor (P2, P27). */
export function paramsFaults(run: Run, call: RunCall, name: string, params: JsonObject): SchemaFault[] {
  const { checker } = run.env;
  const tool = run.tools.tool(name);
  if (!tool) return [];
  // What a person approved instead of the call does not have the call's activity.
  const activity = name === call.plan.tool ? call.plan.activity : null;
  const delegateName = delegateOf(call, name);
  const delegate = delegateName === null ? null : run.tools.delegate(delegateName);
  return askedParameters({ tool, activity, delegate }, run.tools).flatMap(({ schema }) =>
    checker.faults(schema, params),
  );
}

function isRepeated(before: RunCall, call: RunCall, tool: string, params: JsonObject): boolean {
  return (
    before.tool === tool &&
    printOutput(before) === printOutput(call) &&
    before.params !== null &&
    isSameJson(before.params, params)
  );
}

/** Its output path, in any notation. */
function printOutput({ own }: RunCall): string {
  return (own ?? []).map((fanOut) => fanOut.map(printReference).join(" && ")).join(" || ");
}
