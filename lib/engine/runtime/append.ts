import type { NewEvent, RunHold } from "../../../db/repositories.ts";
import type { DocumentChange } from "../journal.ts";
import { UnreadableMemory } from "../memory.ts";
import type { EnginePorts } from "../ports.ts";
import { managerOf } from "./unsaid.ts";

/** Waits between retries, for locks that are released soon; after the last one the run is left to the next start. */
const WAITS_MS = [100, 1_000, 10_000];
/** The wait between retries while the disk is full: runs continue by themselves when there is space. */
const FULL_WAIT_MS = 2_000;

/** Controls the retries of an append. */
export interface RetryPolicy {
  isStopping(): boolean;
  /** Resolves when the run is to stop: then there is one last try, at once. */
  stopping: Promise<void>;
  /** Called when the disk is full and the append waits for space. */
  onFull(error: Error): void;
}

/**
 * Appends a run's events, with retries: events have ids, so an append whose result was lost can be repeated. Returns the event
 * of the change of the user's memory, if there is one. Throws the log's last error; `UnreadableMemory`, conflicts and takeovers
 * at once, without a retry.
 */
export async function appendWithRetry(
  events: NewEvent[],
  { change, hold }: { change: DocumentChange | null; hold: RunHold | null },
  { journal, logger, clock }: Pick<EnginePorts, "journal" | "logger" | "clock">,
  retry: RetryPolicy,
): Promise<NewEvent | null> {
  for (let tried = 0; ; tried++) {
    const isLast = retry.isStopping();
    try {
      if (change) return await journal.appendWithMemory(events, change, hold);
      await journal.append(events, hold);
      return null;
    } catch (error) {
      if (error instanceof UnreadableMemory || isConflict(error) || isNotHeld(error) || managerOf(error) !== null)
        throw error;
      const wait = WAITS_MS[tried] ?? (isStorageFull(error) ? FULL_WAIT_MS : undefined);
      if (wait === undefined || isLast) throw error;
      if (isStorageFull(error)) {
        // Nothing of a new run is stored yet: the caller gets the error and may start it again.
        if (beginsRun(events)) throw error;
        retry.onFull(error);
      }
      const { run_id, conversation_id } = events[0] ?? {};
      logger.warn({ err: error, run_id, conversation_id }, `Could not append ${events.length} events; retrying`);
      await Promise.race([new Promise<void>((resolve) => clock.later(wait, resolve)), retry.stopping]);
    }
  }
}

/** Checked by `code`: the engine does not import storage. */
export function isStorageFull(error: unknown): error is Error {
  return error instanceof Error && "code" in error && error.code === "storage_full";
}

/** Whether the log refuses the events for good: an id that exists elsewhere, or a used approval. */
export function isConflict(error: unknown): error is Error {
  return error instanceof Error && "code" in error && error.code === "conflict";
}

/** Whether another replica has taken the run over. */
export function isNotHeld(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "not_held";
}

/** A delegate's run is started by its parent, which waits for it. */
export function beginsRun(events: readonly NewEvent[]): boolean {
  return events.some(({ type, parent_run_id }) => type === "run.started" && parent_run_id === null);
}
