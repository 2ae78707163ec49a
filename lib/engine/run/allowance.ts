import { AllowanceSpent } from "../errors.ts";
import { failRun } from "./end-run.ts";
import type { Runner } from "./runner.ts";

/** Throws `AllowanceSpent` where the run's agent may ask no model any more for now. */
export async function checkAllowance({ engine, state }: Runner): Promise<void> {
  const spent = await engine.ports.allowance?.spent(state.agent_id);
  if (spent) throw new AllowanceSpent(spent.message, spent.alert);
}

/** Managers are told when it is news. Gives the event that what follows comes of. */
export function alertSpent(run: Runner, { message, code, alert }: AllowanceSpent): string | null {
  const { latest, settings } = run.state;
  // Of a simulation nobody has to know.
  if (!alert || settings.simulated) return latest;
  return run.log.emit("manager.alerted", { text: `${message}.`, reason: code }, { caused_by: latest });
}

/** The run ends, because its agent may ask no model any more. */
export function endOverBudget(run: Runner, spent: AllowanceSpent): void {
  const caused_by = alertSpent(run, spent);
  failRun(run, { code: spent.code, message: spent.message }, caused_by);
}
