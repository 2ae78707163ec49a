import type { NewEvent } from "../../../db/repositories.ts";
import { UnreadableMemory } from "../memory.ts";
import { appendPatiently, type Patience } from "./append.ts";
import { shut } from "./closing.ts";
import { documentChange } from "./keep-memory.ts";
import { isRunEvent } from "./run-event.ts";
import type { Runner } from "./runner.ts";

/**
 * Takes a tick's events to disk, and with them what they mean for the user's memory (M11). Where that cannot be read the
 * events go alone, and the run comes to its end (M13). Throws what `appendPatiently` throws.
 */
export async function takeToDisk(run: Runner, events: NewEvent[], patience: Patience): Promise<void> {
  const { state, house } = run;
  try {
    const updated = await appendPatiently(events, documentChange(run, events), house.ports, patience);
    if (updated && isRunEvent(updated)) state.apply(updated);
    state.notes_to_keep = [];
    run.place.begin();
  } catch (error) {
    if (!(error instanceof UnreadableMemory)) throw error;
    await appendPatiently(events, null, house.ports, patience);
    const { code, message } = error;
    const closing = { reason: message, error: { code, message }, actor: "system", gently: true };
    if (!state.ended) run.post(() => shut(run.root, closing));
  }
}
