import { setTimeout as delay } from "node:timers/promises";
import type { LogWriter } from "../log/log-writer.ts";
import type { ImportProgress, Log } from "../repositories.ts";
import type { Spool, SpooledEvent, Spools } from "./spool.ts";
import { type Imported, StagedImport } from "./staged-import.ts";

type Conversations = Parameters<Log["importConversations"]>[0];
type OnProgress = (progress: ImportProgress) => void;

interface Taking {
  /** The origin of its events. */
  by: "import" | "program";
  signal: AbortSignal;
  onProgress: OnProgress | undefined;
}

interface Storing {
  by: Taking["by"];
  /** Positions reserved for other writers. */
  gap: number;
  signal: AbortSignal;
  tell: (change: Partial<ImportProgress>) => void;
}

/** How often an import that waits for one of another process looks whether that has ended, ms. */
const TURN_MS = 200;

// How many events are removed in 5 ms, between other writes.
const A_PART = 1_000;

/**
 * How far above the log an import of this many events starts when it takes more than one transaction: what others
 * append meanwhile needs positions below it. A page of the import is stored after each group of their writes, which has
 * some thousand events at most.
 */
function roomBelow(events: number): number {
  return Math.max(1_000_000, 100 * events);
}

/**
 * Imports whole conversations (E11). All of them are first written to a spool. Then they are stored page by page
 * between other writes: invisibly, since no row of the list has them and their positions are above all that readers
 * see. Then all is valid and stored, and becomes visible some hundred conversations at a time, so that nobody waits for the rest.
 * One import is stored at a time, so that positions grow in the order in which imports end. Of an interrupted import, what is not
 * visible yet is removed, after the end of the process by the next start: each conversation is complete or absent, and
 * another import of the same file adds the absent ones.
 */
export class Imports {
  readonly #writer: LogWriter;
  readonly #spools: Spools;
  /** The end of the last queued import. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(writer: LogWriter, spools: Spools) {
    this.#writer = writer;
    this.#spools = spools;
  }

  /** Implements `Log.importConversations`. */
  async take(conversations: Conversations, { by, signal, onProgress }: Taking): Promise<Imported[]> {
    const spool = this.#spools.create();
    const progress: ImportProgress = { phase: "reading", conversations: 0, events: 0, stored: 0 };
    const tell = (change: Partial<ImportProgress>) => onProgress?.(Object.assign(progress, change));
    try {
      await spool.fill(eventsOf(conversations, progress, tell), signal);
      tell({ phase: "waiting" });
      const stored = this.#last.then(() => this.#store(spool, { by, gap: roomBelow(progress.events), signal, tell }));
      this.#last = stored.catch(() => undefined);
      return await stored;
    } finally {
      await spool.remove();
    }
  }

  async #store(spool: Spool, { by, gap, signal, tell }: Storing): Promise<Imported[]> {
    signal.throwIfAborted();
    tell({ phase: "storing" });
    // If the disk was full, an earlier import may not have been removed yet.
    await this.#undo();
    const pages = spool.read()[Symbol.asyncIterator]();
    const [first, second] = [await pages.next(), await pages.next()];
    if (second.done)
      return inTurn(signal, () =>
        this.#writer.submitAlone(async (transaction) => {
          const staged = new StagedImport(by);
          if (!staged.begin(transaction, 0)) return null;
          staged.add(transaction, first.done ? [] : first.value);
          const imported: Imported[] = [];
          for (const part of staged.parts()) imported.push(...(await staged.show(transaction, part)));
          return imported;
        }),
      );
    const staged = new StagedImport(by);
    try {
      await inTurn(signal, () => this.#writer.submitPart((transaction) => staged.begin(transaction, gap) || null));
      for (let page = first; !page.done; page = page === first ? second : await pages.next()) {
        signal.throwIfAborted();
        const events = page.value;
        const back = staged.mark();
        await this.#writer.submitPart((transaction) => {
          back();
          staged.add(transaction, events);
        });
        tell({ stored: staged.taken });
      }
      // From here on it is not cancelled: of a part of the file nobody could tell which.
      signal.throwIfAborted();
      const imported: Imported[] = [];
      for (const part of staged.parts())
        imported.push(...(await this.#writer.submitAlone((transaction) => staged.show(transaction, part))));
      return imported;
    } catch (error) {
      // When the storage is closed or cannot be reached, it is done later: by the next start, or by a replica.
      await this.#undo().catch(() => undefined);
      throw error;
    } finally {
      await pages.return?.();
    }
  }

  async #undo(): Promise<void> {
    let isGone = false;
    while (!isGone) isGone = await this.#writer.submitPart((transaction) => transaction.removeImport(A_PART));
  }
}

/** Begins, again and again while another process stores an import: then `begin` gives null. */
async function inTurn<T>(signal: AbortSignal, begin: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const begun = await begin();
    if (begun !== null) return begun;
    await delay(TURN_MS, undefined, { signal });
  }
}

/** All events, each with its conversation; reports every conversation that has been read. */
async function* eventsOf(
  conversations: Conversations,
  progress: ImportProgress,
  tell: (change: Partial<ImportProgress>) => void,
): AsyncIterable<SpooledEvent> {
  let last: string | null = null;
  for await (const { conversation_id, events, bookmarks, scores, notes } of conversations) {
    for (const [index, event] of events.entries())
      yield { ...event, conversation_id, ...(index === 0 && { bookmarks, scores, notes }) };
    const isNext = conversation_id !== last;
    last = conversation_id;
    tell({
      conversations: progress.conversations + (isNext ? 1 : 0),
      events: progress.events + events.length,
    });
  }
}
