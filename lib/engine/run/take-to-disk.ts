import type { NewEvent } from "../../../db/repositories.ts";
import { UnreadableMemory } from "../memory.ts";
import { appendPatiently, beginsRun, type Patience } from "./append.ts";
import { withoutChain } from "./chain.ts";
import { shut } from "./closing.ts";
import { documentChange } from "./keep-memory.ts";
import { isRunEvent } from "./run-event.ts";
import type { Runner } from "./runner.ts";
import { givingWayTo, managerOf, withoutSpeech } from "./taken-over.ts";

/**
 * Takes a tick's events to disk, and with them what they mean for the user's memory (M11). Where that cannot be read the
 * events go alone, and the run comes to its end (M13). Where a manager has taken the conversation over, what the agent
 * says stays unsaid, and the run comes to its end too (D11). Throws what `appendPatiently` throws.
 */
export async function takeToDisk(run: Runner, events: NewEvent[], patience: Patience): Promise<void> {
  const { state, house } = run;
  try {
    const updated = await appendPatiently(events, documentChange(run, events), house.ports, patience);
    if (updated && isRunEvent(updated)) state.apply(updated);
    state.notes_to_keep = [];
    run.place.begin();
  } catch (error) {
    const manager = managerOf(error);
    if (manager !== null && !beginsRun(events)) {
      const closing = givingWayTo(manager);
      if (!state.ended) run.post(() => shut(run.root, closing));
      return takeToDisk(run, withoutChain(run, withoutSpeech(events, closing.reason)), patience);
    }
    if (!(error instanceof UnreadableMemory)) throw error;
    await appendPatiently(events, null, house.ports, patience);
    const { code, message } = error;
    const closing = { reason: message, error: { code, message }, actor: "system", gently: true };
    if (!state.ended) run.post(() => shut(run.root, closing));
  }
}
