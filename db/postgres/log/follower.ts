import { EVENT_COLUMNS, type EventRow, toEvent } from "../../log/event-row.ts";
import type { Tail } from "../../log/tail.ts";
import type { Transaction } from "../../log/transaction.ts";
import { IS_SEEN } from "../../log/unfinished.ts";
import type { StorageLogger } from "../../storage.ts";
import type { Database, Session } from "../database.ts";

const CHANNEL = "obelus_log";

/** Other replicas are told of commits this often, ms. Each notice is a commit of its own, of which Postgres does one at a time. */
const PACE_MS = 20;

/** A notice is a hint, and may be lost: the log is looked at this often without one, ms. */
const LOOK_MS = 1_000;

const A_PAGE = 1_000;

/**
 * Keeps the newest events of the log in memory, its own replica's as they are committed and the others' as they are heard of.
 * Events reach the tail in the order of their positions; where some may be missing it is emptied, and readers ask the log.
 */
export class LogFollower {
  readonly #database: Database;
  readonly #tail: Tail;
  readonly #told: (position: number) => void;
  readonly #logger: StorageLogger;
  /** Tells this replica's notices from the others'. */
  readonly #name: string;
  /** Everything up to this position is in the tail, or was told of when the tail was emptied. */
  #position: number;
  /** Of erasures, when the tail was last looked through. */
  #epoch = 0;
  #session: Session | null = null;
  #looking: Promise<void> | null = null;
  #again = false;
  #notice: NodeJS.Timeout | null = null;
  readonly #timer: NodeJS.Timeout;
  #stopped = false;

  /** `told` is called with the newest position when others have appended. */
  constructor(
    database: Database,
    tail: Tail,
    position: number,
    name: string,
    { told, logger }: { told: (position: number) => void; logger: StorageLogger },
  ) {
    this.#database = database;
    this.#tail = tail;
    this.#position = position;
    this.#name = name;
    this.#told = told;
    this.#logger = logger;
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#timer.unref();
    this.#look();
  }

  /** Takes what this replica has committed, and tells the others. Whether it is news: it may have been read before this. */
  take({ recorded, head, grew }: Transaction): boolean {
    if (!grew || head <= this.#position) return false;
    if (recorded[0]?.event.position === this.#position + 1) this.#tail.push(recorded);
    else this.#tail.clear();
    this.#position = head;
    this.#tell();
    return true;
  }

  /** Forgets the newest events here and at the others, after some were erased. */
  forget(): void {
    this.#tail.clear();
    this.#tell();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    if (this.#notice) clearTimeout(this.#notice);
    await this.#looking;
    await this.#session?.close();
  }

  #tell(): void {
    this.#notice ??= setTimeout(() => {
      this.#notice = null;
      this.#database.run("SELECT pg_notify($1, $2)", [CHANNEL, this.#name]).catch((error) => this.#failed(error));
    }, PACE_MS);
  }

  #look(): void {
    if (this.#stopped) return;
    this.#again = true;
    this.#looking ??= this.#readAll().finally(() => {
      this.#looking = null;
    });
  }

  async #readAll(): Promise<void> {
    try {
      await this.#listen();
      while (this.#again && !this.#stopped) {
        this.#again = false;
        if (await this.#read()) this.#again = true;
      }
    } catch (error) {
      // The next look tries again.
      this.#failed(error);
    }
  }

  async #listen(): Promise<void> {
    if (this.#session) return;
    const session = await this.#database.connect();
    session.onLost(() => {
      this.#session = null;
    });
    session.onNotice((name) => {
      if (name !== this.#name) this.#look();
    });
    await session.run(`LISTEN ${CHANNEL}`);
    this.#session = session;
  }

  /** Takes a page of what others have appended; whether there may be more. */
  async #read(): Promise<boolean> {
    const rows = await this.#database.rows<EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM events WHERE position > $1 AND ${IS_SEEN} ORDER BY position LIMIT ${A_PAGE}`,
      [this.#position],
    );
    const [erasures] = await this.#database.rows<{ epoch: number }>("SELECT epoch FROM erasure_epoch");
    if ((erasures?.epoch ?? 0) !== this.#epoch) this.#tail.clear();
    this.#epoch = erasures?.epoch ?? 0;
    // What was committed here meanwhile has been taken.
    const fresh = rows.filter(({ position }) => position > this.#position);
    const last = fresh.at(-1)?.position;
    if (last === undefined) return false;
    if (last === this.#position + fresh.length)
      this.#tail.push(fresh.map((row) => ({ event: toEvent(row), size: row.payload.length })));
    else this.#tail.clear();
    this.#position = last;
    this.#told(last);
    return rows.length === A_PAGE;
  }

  #failed(error: unknown): void {
    if (!this.#stopped) this.#logger.warn({ err: error }, "The log of other replicas could not be followed");
  }
}
