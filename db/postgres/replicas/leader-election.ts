import { setTimeout as delay } from "node:timers/promises";
import type { LeaderTask } from "../../replicas.ts";
import type { StorageLogger } from "../../storage.ts";
import type { Database, Session } from "../database.ts";
import { LOCKS } from "../locks.ts";

/** A replica that ended is succeeded after this time at most, ms. */
const LOOK_MS = 1_000;

/** A connection that does not answer for so long counts as lost, ms. Postgres keeps its lock longer, see below. */
const PATIENCE_MS = 4_000;

/**
 * Postgres ends the connection of a replica that has asked nothing for so long, and frees its lock: the replica is frozen or cut
 * off, ms.
 */
const IDLE_MS = 10_000;

/** A replica does not count on its lock for longer than this after it last asked, ms. */
const SURE_MS = IDLE_MS - 1_000;

/**
 * Elects a leader among the replicas: the one that holds an advisory lock, which Postgres frees when its connection ends. Waiting
 * is looking now and then: a statement that waits for a lock would hold back VACUUM.
 */
export class LeaderElection {
  readonly #database: Database;
  readonly #logger: StorageLogger;
  readonly #stop = new AbortController();
  readonly #tasks = new Set<LeaderTask>();
  #isLeader = false;
  #sureUntil = 0;
  readonly #working: Promise<void>;
  #onKnown = (): void => undefined;
  readonly #known: Promise<void>;

  constructor(database: Database, logger: StorageLogger) {
    this.#database = database;
    this.#logger = logger;
    this.#known = new Promise((resolve) => {
      this.#onKnown = resolve;
    });
    this.#working = this.#elect();
  }

  /** Whether this replica is the leader, as far as it knows. */
  get isLeader(): boolean {
    return this.#isLeader;
  }

  /** Whether it certainly is. A process that was frozen may not know yet that another one leads. */
  get isSurelyLeader(): boolean {
    return this.#isLeader && performance.now() < this.#sureUntil;
  }

  /** Implements `Replicas.asLeader`. */
  async run(task: LeaderTask): Promise<() => Promise<void>> {
    await this.#known;
    this.#tasks.add(task);
    if (this.#isLeader) await task.start();
    return async () => {
      if (this.#tasks.delete(task) && this.#isLeader) await task.stop();
    };
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await this.#working;
  }

  async #elect(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await this.#lead();
      } catch (error) {
        if (signal.aborted) break;
        this.#logger.warn({ err: error }, "The leader among the replicas could not be elected; trying again");
      }
      this.#onKnown();
      await delay(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
    this.#onKnown();
  }

  /** Waits for the lock, and leads until the connection is lost, or until the end. */
  async #lead(): Promise<void> {
    const { signal } = this.#stop;
    const session = await this.#database.connect();
    const lost = new Promise<boolean>((resolve) => session.onLost(() => resolve(false)));
    let answers = true;
    let starting = Promise.resolve();
    try {
      await session.run(`SET idle_session_timeout = ${IDLE_MS}`);
      while (!(await this.#isElected(session))) {
        this.#onKnown();
        await delay(LOOK_MS, undefined, { signal, ref: false });
      }
      this.#isLeader = true;
      const over = Promise.race([lost, this.#watch(session)]);
      starting = this.#start();
      answers = await Promise.race([over, starting.then(() => over)]);
    } finally {
      if (this.#isLeader) {
        this.#isLeader = false;
        await starting.catch(() => undefined);
        for (const task of this.#tasks) await task.stop();
        // Closing frees it as well, when the server gets to it.
        if (answers) await Promise.race([unlock(session), delay(LOOK_MS, undefined, { ref: false })]);
      }
      await Promise.race([session.close(), delay(PATIENCE_MS, undefined, { ref: false })]);
    }
  }

  async #start(): Promise<void> {
    for (const task of this.#tasks) if (this.#isLeader) await task.start();
    this.#onKnown();
  }

  async #isElected(session: Session): Promise<boolean> {
    const asked = performance.now();
    const [row] = await session.rows<{ elected: boolean }>("SELECT pg_try_advisory_lock($1) AS elected", [
      LOCKS.leader,
    ]);
    this.#sureUntil = asked + SURE_MS;
    return row?.elected ?? false;
  }

  /** Resolves at the end, or when the connection does not answer any more: false. */
  async #watch(session: Session): Promise<boolean> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await delay(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined);
      const asked = performance.now();
      const answered = session.rows("SELECT 1").then(
        () => true,
        () => false,
      );
      if (!(await Promise.race([answered, delay(PATIENCE_MS, false, { ref: false })]))) return false;
      this.#sureUntil = asked + SURE_MS;
    }
    return true;
  }
}

async function unlock(session: Session): Promise<void> {
  await session.rows("SELECT pg_advisory_unlock($1)", [LOCKS.leader]).catch(() => undefined);
}
