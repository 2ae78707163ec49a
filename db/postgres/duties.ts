import { setTimeout as delay } from "node:timers/promises";
import type { Duty } from "../replicas.ts";
import type { StorageLogger } from "../storage.ts";
import type { Database, Session } from "./database.ts";
import { LOCKS } from "./locks.ts";

/** A replica that ended is succeeded after this time at most, ms. */
const LOOK_MS = 1_000;

/** A connection that does not answer for so long counts as lost, ms. Postgres keeps its lock longer, see below. */
const PATIENCE_MS = 4_000;

/**
 * Postgres notices within about 15 s that a replica is cut off, and frees its lock; the replica itself has stopped its
 * duties by then. Connections by a socket file ignore these.
 */
const KEEP_ALIVE = ["SET tcp_keepalives_idle = 6", "SET tcp_keepalives_interval = 3", "SET tcp_keepalives_count = 3"];

/**
 * Does duties while this replica holds their lock, which Postgres frees when its connection ends. Waiting is looking now and
 * then: a statement that waits for a lock would hold back VACUUM.
 */
export class Duties {
  readonly #database: Database;
  readonly #logger: StorageLogger;
  readonly #stop = new AbortController();
  readonly #duties = new Set<Duty>();
  #isHeld = false;
  readonly #working: Promise<void>;
  #onKnown = (): void => undefined;
  readonly #known: Promise<void>;

  constructor(database: Database, logger: StorageLogger) {
    this.#database = database;
    this.#logger = logger;
    this.#known = new Promise((resolve) => {
      this.#onKnown = resolve;
    });
    this.#working = this.#takeTurns();
  }

  /** Whether it is this replica's turn. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Implements `Replicas.take`. */
  async take(duty: Duty): Promise<() => Promise<void>> {
    await this.#known;
    this.#duties.add(duty);
    if (this.#isHeld) await duty.start();
    return async () => {
      if (this.#duties.delete(duty) && this.#isHeld) await duty.stop();
    };
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await this.#working;
  }

  async #takeTurns(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await this.#takeTurn();
      } catch (error) {
        if (signal.aborted) break;
        this.#logger.warn({ err: error }, "What one replica does for all could not be taken on; trying again");
      }
      this.#onKnown();
      await delay(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
    this.#onKnown();
  }

  /** Waits for the lock, and does the duties until the connection is lost, or until the end. */
  async #takeTurn(): Promise<void> {
    const { signal } = this.#stop;
    const session = await this.#database.connect();
    const lost = new Promise<boolean>((resolve) => session.onLost(() => resolve(false)));
    let answers = true;
    try {
      for (const setting of KEEP_ALIVE) await session.run(setting);
      while (!(await isTaken(session))) {
        this.#onKnown();
        await delay(LOOK_MS, undefined, { signal, ref: false });
      }
      this.#isHeld = true;
      for (const duty of this.#duties) await duty.start();
      this.#onKnown();
      answers = await Promise.race([lost, this.#watch(session)]);
    } finally {
      if (this.#isHeld) {
        this.#isHeld = false;
        for (const duty of this.#duties) await duty.stop();
        // Closing frees it as well, when the server gets to it.
        if (answers) await Promise.race([unlock(session), delay(LOOK_MS, undefined, { ref: false })]);
      }
      await Promise.race([session.close(), delay(PATIENCE_MS, undefined, { ref: false })]);
    }
  }

  /** Resolves at the end, or when the connection does not answer any more: false. */
  async #watch(session: Session): Promise<boolean> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await delay(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined);
      const answered = session.rows("SELECT 1").then(
        () => true,
        () => false,
      );
      if (!(await Promise.race([answered, delay(PATIENCE_MS, false, { ref: false })]))) return false;
    }
    return true;
  }
}

async function unlock(session: Session): Promise<void> {
  await session.rows("SELECT pg_advisory_unlock($1)", [LOCKS.duty]).catch(() => undefined);
}

async function isTaken(session: Session): Promise<boolean> {
  const [row] = await session.rows<{ taken: boolean }>("SELECT pg_try_advisory_lock($1) AS taken", [LOCKS.duty]);
  return row?.taken ?? false;
}
