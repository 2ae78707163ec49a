import type { NoPlan } from "../input.ts";
import type { Run } from "../run.ts";
import { failRun } from "./end-run.ts";

/** Why a run's agent may ask no model any more for now. */
type AllowanceSpent = Extract<NoPlan, { kind: "allowance" }>;

/** Managers are told when it is news. Gives the event that what follows comes of. */
export function alertSpent(run: Run, { message, code, alert }: AllowanceSpent): string | null {
  const { latest, settings } = run.state;
  // Of a simulation nobody has to know.
  if (!alert || settings.simulated) return latest;
  return run.log.emit("manager.alerted", { text: `${message}.`, reason: code }, { caused_by: latest });
}

/** The run ends, because its agent may ask no model any more. */
export function endOverBudget(run: Run, spent: AllowanceSpent): void {
  const caused_by = alertSpent(run, spent);
  failRun(run, { code: spent.code, message: spent.message }, caused_by);
}
