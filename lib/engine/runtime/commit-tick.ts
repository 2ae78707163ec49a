import type { NewEvent } from "../../../db/repositories.ts";
import { UnreadableMemory } from "../memory.ts";
import { yieldedTo } from "../step/course/taken-over.ts";
import { appendWithRetry, beginsRun, type RetryPolicy } from "./append.ts";
import { documentChange } from "./keep-memory.ts";
import type { Runner } from "./runner.ts";
import { managerOf, withoutChain, withoutSpeech } from "./unsaid.ts";

/**
 * Takes a tick's events to disk, and with them what they mean for the user's memory (M11). Where that cannot be read the
 * events go alone, and the run comes to its end (M13). Where a manager has taken the conversation over, what the agent
 * says stays unsaid, and the run comes to its end too (D11). Throws what `appendWithRetry` throws.
 */
export async function commitTick(run: Runner, events: NewEvent[], retry: RetryPolicy): Promise<void> {
  const { state, engine } = run;
  try {
    const updated = await appendWithRetry(events, documentChange(run, events), engine.ports, retry);
    run.take({ kind: "committed", updated });
  } catch (error) {
    const manager = managerOf(error);
    if (manager !== null && !beginsRun(events)) {
      const termination = yieldedTo(manager);
      if (!state.ended) run.root.post({ kind: "terminate", termination });
      return commitTick(run, withoutChain(run, withoutSpeech(events, termination.reason)), retry);
    }
    if (!(error instanceof UnreadableMemory)) throw error;
    await appendWithRetry(events, null, engine.ports, retry);
    const { code, message } = error;
    const termination = { reason: message, error: { code, message }, actor: "system", gently: true };
    if (!state.ended) run.root.post({ kind: "terminate", termination });
  }
}
