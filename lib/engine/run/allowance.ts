import { AllowanceSpent } from "../errors.ts";
import { failRun } from "./end-run.ts";
import type { Runner } from "./runner.ts";

/** Throws `AllowanceSpent` where the run's agent may ask no model any more for now. */
export async function checkAllowance({ house, state }: Runner): Promise<void> {
  const spent = await house.ports.allowance?.spent(state.agent_id);
  if (spent) throw new AllowanceSpent(spent.message, spent.alert);
}

/** Managers are told when it is news. Gives the event that what follows comes of. */
export function tellSpent(run: Runner, { message, code, alert }: AllowanceSpent): string | null {
  const { latest, settings } = run.state;
  // Of a simulation nobody has to know.
  if (!alert || settings.simulated) return latest;
  return run.log.emit("manager.alerted", { text: `${message}.`, reason: code }, { caused_by: latest });
}

/** The run ends, because its agent may ask no model any more. */
export function endUnpaid(run: Runner, spent: AllowanceSpent): void {
  const caused_by = tellSpent(run, spent);
  failRun(run, { code: spent.code, message: spent.message }, caused_by);
}
