import { printReference } from "../../../plan/reference.ts";
import type { Recorded } from "../../isolation.ts";
import { REASONS } from "../reasons.ts";
import type { Run } from "../run.ts";
import type { PendingStart } from "../state/in-flight.ts";
import { nameOf, type RunCall } from "../state/run-call.ts";
import { delegateOf, handlerOf } from "./call-target.ts";
import { failCall, finishCall } from "./finish-call.ts";

/**
 * A call of a fork in which no tool is called (E9): it answers with what was recorded for the same call. Without that, a
 * delegate's run is simulated in the same way, and all else stays planned. What has no effect outside of the fork runs.
 */
export function simulateCall(run: Run, ready: PendingStart): void {
  const { call } = ready;
  if (staysInside(run, ready)) return run.slots.add(call.instance, ready);
  const ticket = run.track(call, "recording");
  run.lookups.set(ticket, ready);
  run.after({ kind: "find_recording", ticket, pending: ready });
}

/** What was recorded for a call; null for nothing. */
export function takeRecording(run: Run, ticket: number, recorded: Recorded | null): void {
  const ready = run.lookups.get(ticket);
  run.lookups.delete(ticket);
  if (!ready || !run.isLive(ready.call, ticket)) return;
  const { call } = ready;
  run.inFlight.delete(call);
  if (recorded) answer(run, ready, recorded);
  else if (delegateOf(call, call.tool) !== null) run.slots.add(call.instance, ready);
  else leaveOut(run, ready);
}

/** It is the server's own and changes nothing but the fork's memory or who speaks in its turn, or its result stands in it. */
function staysInside(run: Run, { call }: PendingStart): boolean {
  const { plan } = call;
  if (plan.delegate !== null) return false;
  if (handlerOf(run, call) === null) return plan.result !== undefined;
  const tool = run.tools.tool(call.tool);
  return plan.activity === null && tool?.effect === "none" && tool.control !== "escalate";
}

function answer(run: Run, { call, tool, params, caused_by }: PendingStart, { at, branch, result }: Recorded): void {
  run.log.emit("call.started", { ...nameOf(call), tool, params, attempt: call.attempt + 1 }, { caused_by });
  if (!result.ok) return failCall(run, call, result.error, { recorded: at });
  finishCall(run, call, { value: result.output, chosen: pathOf(call, branch), state: undefined }, { recorded: at });
}

/** The path that names the alternative which the recorded call took, where this one has it too (P10). */
function pathOf({ own }: RunCall, branch: number | null): string | null {
  const target = branch === null ? undefined : own?.[branch]?.[0];
  return target ? printReference(target) : null;
}

function leaveOut(run: Run, { call, tool, params, caused_by }: PendingStart): void {
  if (!handlerOf(run, call)) {
    run.log.emit("call.blocked", { ...nameOf(call), params, reason: REASONS.notRecorded(tool) }, { caused_by });
    return;
  }
  const skipped = { ...nameOf(call), tool, params, reason: REASONS.simulated(), planned: true };
  run.log.emit("call.skipped", skipped, { caused_by });
}
