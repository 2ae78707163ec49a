import { controlOf } from "./approval-policy.ts";
import type { Termination } from "./in-flight.ts";
import { REASONS } from "./reasons.ts";
import type { Tree } from "./recover.ts";
import { requestTermination } from "./request-termination.ts";
import type { RunCall } from "./run-call.ts";
import type { Runner } from "./runner.ts";
import { emitEscalated } from "./user-messages.ts";

/** What runs may come to its own end; nothing new starts. */
const ESCALATION: Termination = {
  ...{ reason: REASONS.escalated(), error: null, escalated: true },
  ...{ actor: "system", gently: true },
};

/**
 * A call that calls a manager has succeeded, at whatever depth: managers are told, the user of the turn gets a polite
 * message, and the whole tree of runs comes to its end (D9).
 */
export function escalateBy(run: Runner, call: RunCall, caused_by: string): void {
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
  for (const each of root.tree()) if (!each.state.ended) requestTermination(each, ESCALATION);
  if (run === root) return emitEscalated(root, alerted);
  // When the alert is on disk; the next process finds it there.
  run.after(() => root.post(() => emitEscalated(root, alerted)));
}

/** A manager was called in a run that the process before left open: it comes to its end before anything starts (P23). */
export function escalateAgain(root: Runner, { runs }: Tree): void {
  if (root.state.ended || ![...runs.values()].some(({ alerted }) => alerted)) return;
  requestTermination(root, ESCALATION);
  root.post(() => emitEscalated(root, root.state.latest));
}
