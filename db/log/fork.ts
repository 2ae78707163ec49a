import type { SessionEvent } from "../../lib/session/event.ts";
import { emptySummary, summarize } from "../../lib/session/summary/summary.ts";
import { SNAPSHOT_EVERY } from "../projections/snapshot.ts";
import type { Appended, Fork, NewEvent } from "../repositories.ts";
import type { LogWriter } from "./log-writer.ts";
import type { Transaction } from "./transaction.ts";

// How many events are removed in 5 ms, between other writes.
const A_PART = 1_000;

/**
 * Stores a fork (E9). Its history is stored page by page between other writes: invisibly, since no row of the list has
 * it and its positions are in a block below all others. The last transaction appends its own events and makes it
 * visible. An interrupted fork is removed, after the end of the process by the next start.
 */
export async function storeFork(writer: LogWriter, fork: Fork, signal: AbortSignal): Promise<Appended[]> {
  const { conversation_id: id, length } = fork;
  const first = await writer.submit((transaction) => transaction.beginHistory(id, length));
  try {
    let summary = emptySummary();
    for await (const page of fork.history) {
      signal.throwIfAborted();
      const events = page.map((event, index) => asStored(event, id, summary.last_seq + 1 + index, first));
      await writer.submitPart((transaction) => storePage(transaction, id, events));
      for (const event of events) summary = summarize(summary, event);
    }
    if (summary.last_seq !== length)
      throw new Error(`The fork ${id} was to bring ${length} events along, and brought ${summary.last_seq}`);
    const beginning = fork.beginning();
    return await writer.submit((transaction) => {
      transaction.endHistory(id, length === 0 ? null : { position: first, summary });
      const appended = beginning.map((event) => transaction.appendBeginning(event));
      for (const bookmark of fork.bookmarks) transaction.annotations.saveBookmark(id, bookmark);
      return appended;
    });
  } catch (error) {
    // When the storage is closed or cannot be reached, it is done later: by the next start, or by a replica.
    await undo(writer, id).catch(() => undefined);
    throw error;
  }
}

function storePage(transaction: Transaction, id: string, events: readonly SessionEvent[]): void {
  for (const event of events) transaction.storeHistory(event);
  const [from, to] = [events.at(0)?.seq ?? 0, events.at(-1)?.seq ?? 0];
  // So that the first view of a long fork does not wait for snapshots.
  if (Math.floor(to / SNAPSHOT_EVERY) > Math.floor((from - 1) / SNAPSHOT_EVERY)) transaction.ripe.add(id);
}

/** An event of the history with its position and seq: step 1 at the block's first position, and so on. */
function asStored(event: NewEvent, conversation_id: string, seq: number, first: number): SessionEvent {
  const { recorded_at } = event;
  if (recorded_at === undefined) throw new Error("An event that a fork brings along has a time of recording");
  return { ...event, recorded_at, recorded_by: "import", conversation_id, seq, position: first + seq - 1 };
}

async function undo(writer: LogWriter, id: string): Promise<void> {
  let isGone = false;
  while (!isGone) isGone = await writer.submitPart((transaction) => transaction.removeHistory(id, A_PART));
}
