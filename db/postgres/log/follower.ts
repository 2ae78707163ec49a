import type { SessionEvent } from "../../../lib/session/event.ts";
import { EVENT_COLUMNS, type EventRow, toEvent } from "../../log/event-row.ts";
import type { Recorded, Tail } from "../../log/tail.ts";
import type { Transaction } from "../../log/transaction.ts";
import { IS_SEEN } from "../../log/unfinished.ts";
import type { StorageLogger } from "../../storage.ts";
import type { Database } from "../database.ts";
import type { Channel } from "../replicas/channel.ts";

const TOPIC = "log";

/** A notice is a hint, and may be lost: the log is looked at this often without one, ms. */
const LOOK_MS = 1_000;

const A_PAGE = 1_000;

/** Own commits that wait until what was committed before them has been read; with more, they are read as well. */
const MOST_AHEAD = 200;

/**
 * Keeps the newest events of the log in memory, its own replica's as they are committed and the others' as they are heard of.
 * Events reach the tail in the order of their positions; where some may be missing it is emptied, and readers ask the log.
 * While nobody reads the tail, of the others' events only those are read that are listened to.
 */
export class LogFollower {
  readonly #database: Database;
  readonly #channel: Channel;
  readonly #tail: Tail;
  readonly #told: (position: number) => void;
  readonly #logger: StorageLogger;
  readonly #listeners: { types: () => Iterable<string>; listener: (events: readonly SessionEvent[]) => void }[] = [];
  /** Everything up to this position is in the tail, or was told of when the tail was emptied. */
  #position: number;
  /** Own commits after a position that was not read yet, in order. */
  #ahead: { after: number; head: number; recorded: readonly Recorded[] }[] = [];
  /** Of erasures, when the tail was last looked through. */
  #epoch = 0;
  /** The end of the newest own commit: what was answered is read from the log until it is in the tail. */
  #own = 0;
  #looking: Promise<void> | null = null;
  #again = false;
  /** When it has last known the end of the log, ms of the process. */
  #knewAt = performance.now();
  readonly #timer: NodeJS.Timeout;
  #stopped = false;

  /** `told` is called with the newest position when others have appended. */
  constructor(
    database: Database,
    channel: Channel,
    tail: Tail,
    position: number,
    { told, logger }: { told: (position: number) => void; logger: StorageLogger },
  ) {
    this.#database = database;
    this.#channel = channel;
    this.#tail = tail;
    this.#position = position;
    this.#told = told;
    this.#logger = logger;
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#timer.unref();
    channel.hear(TOPIC, () => this.#look());
    channel.onConnected(() => this.#look());
    this.#look();
  }

  /** How long ago it last knew the end of the log, ms. */
  get behind(): number {
    return performance.now() - this.#knewAt;
  }

  /** Calls `listener` with what others append, in order: events of `types`, maybe with others among them. */
  follow(types: () => Iterable<string>, listener: (events: readonly SessionEvent[]) => void): void {
    this.#listeners.push({ types, listener });
  }

  /** Takes what this replica has committed, and tells the others. Whether it is news: else it is told of when it was read. */
  take({ recorded, head, grew }: Pick<Transaction, "recorded" | "head" | "grew">): boolean {
    if (!grew) return false;
    this.#channel.tell(TOPIC, "");
    if (head <= this.#position) return false;
    const after = (recorded[0]?.event.position ?? 0) - 1;
    // An import or a fork has events that are not recorded here.
    const isWhole = recorded.length === head - after;
    if (isWhole && after === this.#position) {
      this.#push(recorded, head);
      return true;
    }
    this.#own = head;
    this.#tail.isBehind = true;
    if (isWhole && this.#ahead.length < MOST_AHEAD) this.#ahead.push({ after, head, recorded });
    this.#look();
    return false;
  }

  /** Forgets the newest events here and at the others, after some were erased. */
  forget(): void {
    this.#clear();
    this.#channel.tell(TOPIC, "");
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#looking;
  }

  #look(): void {
    if (this.#stopped) return;
    this.#again = true;
    this.#looking ??= this.#readAll().finally(() => {
      this.#looking = null;
      // Asked for after the last look.
      if (this.#again) this.#look();
    });
  }

  async #readAll(): Promise<void> {
    try {
      while (this.#again && !this.#stopped) {
        this.#again = false;
        if (await this.#read()) this.#again = true;
      }
      this.#knewAt = performance.now();
    } catch (error) {
      this.#again = false;
      if (!this.#stopped)
        this.#logger.warn({ err: error }, "The log of other replicas could not be followed; trying again");
    }
  }

  /** Takes a page of what others have appended, up to the next own commit; whether there may be more. */
  async #read(): Promise<boolean> {
    // Before the events: what an erasure leaves out after this is found by the next look.
    const [end] = await this.#database.rows<{ epoch: number; head: number }>(END);
    if (!end) throw new Error("The log told neither its end nor that it is empty");
    if (end.epoch !== this.#epoch) this.#clear();
    this.#epoch = end.epoch;
    // Asked after the log has told its end: who begins to read or to listen now finds all up to it there.
    if (!this.#tail.isRead) return this.#passOver(end.head);
    const next = this.#ahead[0];
    const rows =
      next?.after === this.#position
        ? []
        : await this.#database.rows<EventRow>(PAGE, [this.#position, next?.after ?? Number.MAX_SAFE_INTEGER]);
    // What was committed here meanwhile has been taken.
    const fresh = rows.filter(({ position }) => position > this.#position);
    const last = fresh.at(-1)?.position;
    if (last !== undefined) {
      const recorded = fresh.map((row) => ({ event: toEvent(row), size: row.payload.length }));
      const isWhole = last === this.#position + fresh.length;
      if (isWhole) this.#push(recorded, last);
      else this.#skipTo(last);
      this.#tellListeners(recorded.map(({ event }) => event));
    }
    if (next && rows.length < A_PAGE) {
      // All before an own commit was read: it held the lock of the log.
      if (next.after > this.#position) this.#skipTo(next.after);
      this.#takeAhead();
    }
    this.#tail.isBehind = this.#own > this.#position;
    if (last !== undefined || next) this.#told(this.#position);
    return rows.length === A_PAGE || next !== undefined;
  }

  /** Goes on to the end of the log with those events that are listened to; whether there may be more. */
  async #passOver(head: number): Promise<boolean> {
    const before = this.#position;
    const types = new Set(this.#listeners.flatMap((one) => [...one.types()]));
    const rows =
      head > before && types.size > 0
        ? await this.#database.rows<EventRow>(PAGE_OF_TYPES, [before, head, [...types]])
        : [];
    const fresh = rows.filter(({ position }) => position > this.#position);
    if (fresh.length > 0) this.#tellListeners(fresh.map(toEvent));
    const isPart = rows.length === A_PAGE;
    const end = isPart ? (rows.at(-1)?.position ?? head) : head;
    if (end > this.#position) this.#skipTo(end);
    this.#takeAhead();
    this.#tail.isBehind = this.#own > this.#position;
    if (this.#position > before) this.#told(this.#position);
    return isPart;
  }

  #tellListeners(events: readonly SessionEvent[]): void {
    for (const { listener } of this.#listeners) listener(events);
  }

  /** Takes the own commits that follow what was read or passed over. */
  #takeAhead(): void {
    while (this.#ahead[0] && this.#ahead[0].after <= this.#position) {
      const { after, head, recorded } = this.#ahead[0];
      this.#ahead.shift();
      if (after === this.#position) this.#push(recorded, head);
    }
  }

  /** Keeps nothing of what was read. */
  #clear(): void {
    this.#tail.clear();
    this.#ahead = [];
  }

  #push(recorded: readonly Recorded[], head: number): void {
    this.#tail.push(recorded);
    this.#position = head;
  }

  /** Some positions up to this one have no event that can be seen. */
  #skipTo(position: number): void {
    this.#tail.clear();
    this.#position = position;
  }
}

const END = `SELECT coalesce((SELECT epoch FROM erasure_epoch), 0) AS epoch,
  coalesce((SELECT position FROM events WHERE ${IS_SEEN} ORDER BY position DESC LIMIT 1), 0) AS head`;

const PAGE = `SELECT ${EVENT_COLUMNS} FROM events
  WHERE position > $1 AND position <= $2 AND ${IS_SEEN} ORDER BY position LIMIT ${A_PAGE}`;

const PAGE_OF_TYPES = `SELECT ${EVENT_COLUMNS} FROM events
  WHERE position > $1 AND position <= $2 AND type = ANY($3) AND ${IS_SEEN} ORDER BY position LIMIT ${A_PAGE}`;
