import type { NoPlan } from "../input.ts";
import type { Run } from "../run.ts";
import { failRun } from "./end-run.ts";

/** Why a run's agent may not call a model for now. */
type AllowanceSpent = Extract<NoPlan, { kind: "allowance" }>;

/** Alerts managers the first time. Returns the event that causes what follows. */
export function alertSpent(run: Run, { message, code, alert }: AllowanceSpent): string | null {
  const { latest, settings } = run.state;
  // A simulation alerts nobody.
  if (!alert || settings.simulated) return latest;
  return run.log.emit("manager.alerted", { text: `${message}.`, reason: code }, { caused_by: latest });
}

/** Ends the run because its agent may not call a model. */
export function endOverBudget(run: Run, spent: AllowanceSpent): void {
  const caused_by = alertSpent(run, spent);
  failRun(run, { code: spent.code, message: spent.message }, caused_by);
}
