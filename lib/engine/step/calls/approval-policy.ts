import type { Effect } from "../../../memory/actions/happening.ts";
import type { JsonObject } from "../../../session/json/json.ts";
import { strongest } from "../../tools/effect.ts";
import type { Control, Guard, RegisteredTool } from "../../tools/tools.ts";
import { REASONS } from "../reasons.ts";
import type { Run } from "../run.ts";
import type { PendingStart } from "../state/in-flight.ts";
import type { RunCall } from "../state/run-call.ts";

/** The action of a call: its tool, or the one approved instead, with its parameters. */
export type PendingAction = Pick<PendingStart, "call" | "tool" | "params">;

/** Whether a call requires approval: by its tool, by the tool whose activity it names, or by the run's mode (P22, M13). */
export function needsApproval(run: Run, pending: PendingAction): boolean {
  const { mode, confirm } = run.state.settings;
  const { tool } = pending;
  // Otherwise a harmless tool could execute a risky tool's activity without approval.
  if (carriers(run, pending).some((carrier) => carrier.requires_confirmation)) return true;
  if (riskOf(run, pending) !== null) return true;
  if (mode !== "confirm") return false;
  const activity = activityOf(pending);
  return confirm.length === 0 || confirm.includes(tool) || (activity !== null && confirm.includes(activity));
}

/** How many different people have to approve a call, by any of the tools that execute it. */
export function approvalsOf(run: Run, pending: PendingAction): number {
  return Math.max(1, ...carriers(run, pending).map(({ approvals = 1 }) => approvals));
}

/** Why these parameters require approval (M13), by any of the tools that execute them; null if they do not. */
export function riskOf(run: Run, pending: PendingAction): string | null {
  return carriers(run, pending).reduce<string | null>(
    (risk, { guard }) => risk ?? guard?.risk(pending.params) ?? null,
    null,
  );
}

/** Why a call is only planned in canary mode: it changes something, or requires approval (M13); null if it may run. */
export function reasonToPlan(run: Run, pending: PendingAction): string | null {
  if (run.state.mode !== "canary") return null;
  // The calls of a delegate's run are checked there.
  const changes = pending.call.plan.delegate === null && effectOf(run, pending) === "change";
  if (!changes && !needsApproval(run, pending)) return null;
  return REASONS.plannedOnly();
}

/** The action, as operators decide on it and the memory stores it (M9). */
export function actionOf(run: Run, pending: PendingAction): { method: string; params: JsonObject } {
  return guardOf(run, pending)?.actionOf(pending.params) ?? { method: pending.tool, params: pending.params };
}

/** The guard of the tool whose activity it names, since that is executed; else its own tool's. */
export function guardOf(run: Run, pending: PendingAction): Guard | null {
  return carriers(run, pending).find(({ guard }) => guard !== null)?.guard ?? null;
}

/** Its effect outside, by any of the tools that execute it. A latent tool's result comes from a model, and changes nothing. */
export function effectOf(run: Run, pending: PendingAction): Effect {
  return strongest(carriers(run, pending).map(({ effect, has_activity }) => (has_activity ? effect : "none")));
}

/** Its effect on its run, by any of the tools that execute it (D5, D9): only built-in tools have one. */
export function controlOf(run: Run, pending: PendingAction): Control | null {
  const { tools } = run.env;
  const named = activityOf(pending);
  return tools.find(named ?? pending.tool)?.control ?? tools.find(pending.tool)?.control ?? null;
}

/** The tool whose activity the call names, and its own tool. */
function carriers(run: Run, pending: PendingAction): RegisteredTool[] {
  const named = activityOf(pending);
  return [named === null ? undefined : run.env.tools.find(named), run.tools.tool(pending.tool)].filter(
    (tool) => tool !== undefined,
  );
}

/** A tool approved instead of the call does not have the call's activity. */
function activityOf({ call, tool }: { call: RunCall; tool: string }): string | null {
  return tool === call.plan.tool ? call.plan.activity : null;
}
/** The description of the action for the operator. */
export function descriptionOf(run: Run, pending: PendingAction): string {
  const told = guardOf(run, pending)?.describe(pending.params, run.state.settings.locale);
  if (told !== undefined) return told;
  const { tool } = pending;
  const description = run.tools.tool(tool)?.description ?? "";
  return description === "" ? `Run ${tool}` : `Run ${tool}: ${description}`;
}
