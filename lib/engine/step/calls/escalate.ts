import { requestTermination } from "../course/request-termination.ts";
import { emitEscalated } from "../course/user-messages.ts";
import { REASONS } from "../reasons.ts";
import type { Run } from "../run.ts";
import type { Termination } from "../state/in-flight.ts";
import type { RunCall } from "../state/run-call.ts";
import { controlOf } from "./approval-policy.ts";

/** What runs may come to its own end; nothing new starts. */
const ESCALATION: Termination = {
  ...{ reason: REASONS.escalated(), error: null, escalated: true },
  ...{ actor: "system", gently: true },
};

/**
 * A call that calls a manager has succeeded, at whatever depth: managers are told, the user of the turn gets a polite
 * message, and the whole tree of runs comes to its end (D9).
 */
export function escalateBy(run: Run, call: RunCall, caused_by: string): void {
  if (controlOf(run, { call, tool: call.tool, params: call.params ?? {} }) !== "escalate") return;
  // Nobody is called by a simulation.
  if (run.state.settings.simulated) return;
  const { root } = run;
  const { text, reason } = call.params ?? {};
  const alert = {
    text: typeof text === "string" ? text : "",
    ...(typeof reason === "string" ? { reason } : {}),
  };
  const alerted = run.log.emit("manager.alerted", alert, { caused_by });
  for (const each of root.runs()) if (!each.state.ended) requestTermination(each, ESCALATION);
  if (run === root) return emitEscalated(root, alerted);
  // When the alert is on disk; the next process finds it there.
  run.after({ kind: "send", to: root, input: { kind: "tell_escalated", caused_by: alerted } });
}

/** Whether a manager was called in a run that the process before left open: it comes to its end before anything starts (P23). */
export function escalateAgain(root: Run): boolean {
  const found = root.tree.found?.runs.values() ?? [];
  if (root.state.ended || ![...found].some(({ alerted }) => alerted)) return false;
  requestTermination(root, ESCALATION);
  return true;
}
