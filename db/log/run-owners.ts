import { Conflict, NotHeld } from "../errors.ts";
import type { AgentStateChange, NewEvent, RunHold, RunOwners } from "../repositories.ts";
import { changeAgentState } from "./agent-state-writes.ts";
import type { LogWriter } from "./log-writer.ts";
import type { Transaction } from "./transaction.ts";

/** How replicas agree on who carries a run on, in the transactions of the log. */
export function runOwnerWrites(writer: LogWriter): Pick<RunOwners, "take" | "rest" | "decide"> {
  return {
    take: (runId, { key, ready } = {}) => writer.submit((transaction) => take(transaction, runId, key, ready ?? false)),
    rest: (hold, known) => writer.submit((transaction) => rest(transaction, hold, known)),
    decide: (event, runId, change) => writer.submit((transaction) => decide(transaction, event, runId, change)),
  };
}

/**
 * Lets only the holder of a run append to it. Throws `NotHeld`, or `Conflict` for a run that begins a second time. `isRepeated`:
 * the events exist already.
 */
export function checkHold(transaction: Transaction, { run_id, fence, key }: RunHold, isRepeated: boolean): void {
  const row = transaction.runOwner(run_id);
  if (fence > 0) {
    if (row?.fence !== fence) throw new NotHeld(run_id);
    return;
  }
  if (!row) return transaction.saveRunOwner(run_id, { key, fence: 0, decided: 0, ready: 1 });
  if (!isRepeated) throw new Conflict(`The run ${run_id} exists already; use another id`);
}

function take(transaction: Transaction, runId: string, key: string | undefined, ready: boolean): RunHold | null {
  const known = transaction.runOwner(runId);
  if (!known && key === undefined) return null;
  const row = known ?? { key: key ?? "", fence: 0, decided: 0, ready: 1 };
  if (ready && row.ready === 0) return null;
  const fence = row.fence + 1;
  transaction.saveRunOwner(runId, { ...row, fence, ready: 1 });
  return { run_id: runId, key: row.key, fence };
}

function rest(transaction: Transaction, { run_id, fence }: RunHold, known: number): boolean {
  const row = transaction.runOwner(run_id);
  if (row?.fence !== fence) throw new NotHeld(run_id);
  if (row.decided > known) return false;
  transaction.saveRunOwner(run_id, { ...row, ready: 0 });
  return true;
}

function decide(
  transaction: Transaction,
  event: NewEvent & { payload: { confirmation_id: string } },
  runId: string,
  change?: AgentStateChange,
): { key: string } | null {
  const confirmation = transaction.confirmation(event.payload.confirmation_id);
  const row = transaction.runOwner(runId);
  if (!row || confirmation?.status !== "requested") return null;
  const { position } = transaction.appendOwn(event);
  if (change) changeAgentState(transaction, [event], change);
  transaction.saveRunOwner(runId, { ...row, decided: position, ready: 1 });
  return { key: row.key };
}
