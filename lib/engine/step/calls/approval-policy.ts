import type { Effect } from "../../../memory/actions/happening.ts";
import type { JsonObject } from "../../../session/json/json.ts";
import { strongest } from "../../tools/effect.ts";
import type { Control, Guard, RegisteredTool } from "../../tools/tools.ts";
import { REASONS } from "../reasons.ts";
import type { Run } from "../run.ts";
import type { PendingStart } from "../state/in-flight.ts";
import type { RunCall } from "../state/run-call.ts";

/** What a call is about to do: its tool, or the one that a person approved instead, with these parameters. */
export type PendingAction = Pick<PendingStart, "call" | "tool" | "params">;

/** A person has to agree before this call runs: its tool says so, the one whose activity it names, or the run's mode (P22, M13). */
export function needsApproval(run: Run, pending: PendingAction): boolean {
  const { mode, confirm } = run.state.settings;
  const { tool } = pending;
  // Else a harmless tool would carry out a risky one's activity without anybody being asked.
  if (carriers(run, pending).some((carrier) => carrier.requires_confirmation)) return true;
  if (riskOf(run, pending) !== null) return true;
  if (mode !== "confirm") return false;
  const activity = activityOf(pending);
  return confirm.length === 0 || confirm.includes(tool) || (activity !== null && confirm.includes(activity));
}

/** Why a person has to agree to these parameters (M13), by what any that carries them out knows; null when it is not for their sake. */
export function riskOf(run: Run, pending: PendingAction): string | null {
  return carriers(run, pending).reduce<string | null>(
    (risk, { guard }) => risk ?? guard?.risk(pending.params) ?? null,
    null,
  );
}

/** In canary, what changes something, or would have to be confirmed, is not carried out (M13). Why; null when it may run. */
export function reasonToPlan(run: Run, pending: PendingAction): string | null {
  if (run.state.mode !== "canary") return null;
  // What a delegate's run carries out is looked at there.
  const changes = pending.call.plan.delegate === null && effectOf(run, pending) === "change";
  if (!changes && !needsApproval(run, pending)) return null;
  return REASONS.plannedOnly();
}

/** What it does, as a person decides on it and the memory keeps it (M9). */
export function actionOf(run: Run, pending: PendingAction): { method: string; params: JsonObject } {
  return guardOf(run, pending)?.actionOf(pending.params) ?? { method: pending.tool, params: pending.params };
}

/** The guard of the tool whose activity it names, for that is what is carried out; else of its own. */
export function guardOf(run: Run, pending: PendingAction): Guard | null {
  return carriers(run, pending).find(({ guard }) => guard !== null)?.guard ?? null;
}

/** What it does outside, as far as any that carries it out says. A latent tool's result comes of a model, and changes nothing. */
export function effectOf(run: Run, pending: PendingAction): Effect {
  return strongest(carriers(run, pending).map(({ effect, has_activity }) => (has_activity ? effect : "none")));
}

/** What it does to its run, by any that carries it out (D5, D9): only tools that come with the server do anything. */
export function controlOf(run: Run, pending: PendingAction): Control | null {
  const { tools } = run.env;
  const named = activityOf(pending);
  return tools.find(named ?? pending.tool)?.control ?? tools.find(pending.tool)?.control ?? null;
}

/** The tool whose activity the call names, and its own. */
function carriers(run: Run, pending: PendingAction): RegisteredTool[] {
  const named = activityOf(pending);
  return [named === null ? undefined : run.env.tools.find(named), run.tools.tool(pending.tool)].filter(
    (tool) => tool !== undefined,
  );
}

/** What a person approved instead of the call does not have the call's activity. */
function activityOf({ call, tool }: { call: RunCall; tool: string }): string | null {
  return tool === call.plan.tool ? call.plan.activity : null;
}
/** What it is about to do, in words for a person. */
export function descriptionOf(run: Run, pending: PendingAction): string {
  const told = guardOf(run, pending)?.describe(pending.params, run.state.settings.locale);
  if (told !== undefined) return told;
  const { tool } = pending;
  const description = run.tools.tool(tool)?.description ?? "";
  return description === "" ? `Run ${tool}` : `Run ${tool}: ${description}`;
}
