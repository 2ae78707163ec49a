import type { NewEvent } from "../../../db/repositories.ts";
import { UnreadableMemory } from "../memory.ts";
import { yieldedTo } from "../step/course/taken-over.ts";
import { appendWithRetry, beginsRun, type RetryPolicy } from "./append.ts";
import { documentChange } from "./keep-memory.ts";
import type { Runner } from "./runner.ts";
import { managerOf, withoutChain, withoutSpeech } from "./unsaid.ts";

/**
 * Appends a tick's events, with their changes of the user's memory (M11). If the memory cannot be read, the events are appended
 * alone and the run is terminated (M13). If a manager has taken over the conversation, the agent's messages are dropped and the
 * run is terminated (D11). Throws what `appendWithRetry` throws.
 */
export async function commitTick(run: Runner, events: NewEvent[], retry: RetryPolicy): Promise<void> {
  const { state, engine } = run;
  const { hold } = run.root;
  try {
    const updated = await appendWithRetry(events, { change: documentChange(run, events), hold }, engine.ports, retry);
    run.take({ kind: "committed", updated });
  } catch (error) {
    const manager = managerOf(error);
    if (manager !== null && !beginsRun(events)) {
      const termination = yieldedTo(manager);
      if (!state.ended) run.root.post({ kind: "terminate", termination });
      return commitTick(run, withoutChain(run, withoutSpeech(events, termination.reason)), retry);
    }
    if (!(error instanceof UnreadableMemory)) throw error;
    await appendWithRetry(events, { change: null, hold }, engine.ports, retry);
    const { code, message } = error;
    const termination = { reason: message, error: { code, message }, actor: "system", gently: true };
    if (!state.ended) run.root.post({ kind: "terminate", termination });
  }
}
