import type { NewEvent } from "../../../db/repositories.ts";
import type { DocumentChange } from "../journal.ts";
import { UnreadableMemory } from "../memory.ts";
import type { EnginePorts } from "../ports.ts";
import { managerOf } from "./unsaid.ts";

/** A lock may pass within these; after them the run is left to the next start. */
const WAITS_MS = [100, 1_000, 10_000];
/** A full disk is waited out, however long: when a person has made room, runs go on by themselves. */
const FULL_WAIT_MS = 2_000;

/** How long an append may be tried again. */
export interface RetryPolicy {
  isStopping(): boolean;
  /** Resolves when the run is to stop: then there is one more try, at once. */
  stopping: Promise<void>;
  /** The disk is full, and that is waited out. */
  onFull(error: Error): void;
}

/**
 * Appends a run's events, again and again where the log does not take them: events have ids, so that an append whose
 * answer was lost can be made again. Gives the event that tells how the user's document changed, if it did. Throws what
 * the log threw last, and at once an `UnreadableMemory`, a conflict, or that the conversation is taken over.
 */
export async function appendWithRetry(
  events: NewEvent[],
  change: DocumentChange | null,
  { journal, logger, clock }: Pick<EnginePorts, "journal" | "logger" | "clock">,
  retry: RetryPolicy,
): Promise<NewEvent | null> {
  for (let tried = 0; ; tried++) {
    const isLast = retry.isStopping();
    try {
      if (change) return await journal.appendWithMemory(events, change);
      await journal.append(events);
      return null;
    } catch (error) {
      if (error instanceof UnreadableMemory || isConflict(error) || managerOf(error) !== null) throw error;
      const wait = WAITS_MS[tried] ?? (isStorageFull(error) ? FULL_WAIT_MS : undefined);
      if (wait === undefined || isLast) throw error;
      if (isStorageFull(error)) {
        // Nothing of a new run is there yet: whoever starts it is told, and may start it again.
        if (beginsRun(events)) throw error;
        retry.onFull(error);
      }
      const { run_id, conversation_id } = events[0] ?? {};
      logger.warn({ err: error, run_id, conversation_id }, `Could not append ${events.length} events; retrying`);
      await Promise.race([new Promise<void>((resolve) => clock.later(wait, resolve)), retry.stopping]);
    }
  }
}

/** By its code, as storage's refusals are told apart: the engine does not know storage. */
export function isStorageFull(error: unknown): error is Error {
  return error instanceof Error && "code" in error && error.code === "storage_full";
}

/** What the log refuses for good: an id that exists elsewhere, an approval that is used up. */
export function isConflict(error: unknown): error is Error {
  return error instanceof Error && "code" in error && error.code === "conflict";
}

/** A delegate's run is begun by its parent's, which waits for it. */
export function beginsRun(events: readonly NewEvent[]): boolean {
  return events.some(({ type, parent_run_id }) => type === "run.started" && parent_run_id === null);
}
