import pg from "pg";
import { PgBoss } from "pg-boss";
import { z } from "zod";
import type { StorageLogger } from "../../storage.ts";

const QUEUE = "runs";

/** Postgres gives a job to another replica when it has not heard of it for this time. pg-boss allows no less. */
const HEARTBEAT_S = 10;
/** A replica counts as having lost a job before Postgres does. */
const SURE_MS = 1_000 * HEARTBEAT_S - 1_000;
const BEAT_MS = 2_000;
/** Jobs of replicas that are not heard of are looked for this often. */
const LOOK_FOR_LOST_S = 3;
/** Jobs of other replicas are looked for this often: what is sent here is fetched here at once. */
const POLL_MS = 500;
/** Runs without a job are looked for this often. */
const SWEEP_MS = 4_000;
const FETCHED_AT_ONCE = 50;
/** The longest that pg-boss allows. Then the job is given to somebody, who may be the same. */
const LONGEST_S = 24 * 60 * 60 - 1;
/** A job is repeated as long as its run has not ended. */
const RETRIES = 1_000_000;
const KEPT_S = 60;

/** A replica's turn with a key, of which no other replica has one at the same time. */
export interface JobTurn {
  readonly key: string;
  isSure(): boolean;
  readonly lost: AbortSignal;
}

/** The queue of keys whose runs have to be carried on, in Postgres. */
export interface RunJobs {
  /** Queues a turn for the key. */
  wake(key: string): Promise<void>;
  /**
   * Calls `carry` for each turn of this replica. `done`: the turn is over. `handed_on`: another replica gets it at once. If it throws,
   * the turn is repeated some seconds later, if somebody still has to carry on a run with the key.
   */
  work(carry: (turn: JobTurn) => Promise<"done" | "handed_on">): void;
  /** Takes no more turns, and resolves when those that were taken are over. */
  stop(): Promise<void>;
}

interface ActiveJob {
  id: string;
  retryCount: number;
  key: string;
  /** When Postgres last heard of it, at least; as `performance.now()` tells. */
  heardAt: number;
  lost: AbortController;
}

/** The jobs that were found as they were said to be. The types of pg-boss do not tell. */
const touched = z.object({ settled: z.array(z.string()) });

/** Opens the queue. At most `most` turns are taken at a time. */
export async function openRunJobs(url: string, most: number, logger: StorageLogger): Promise<RunJobs> {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: "obelus-jobs",
    max: 3,
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
    keepAlive: true,
  });
  pool.on("error", (err) => logger.warn({ err }, "A connection to the jobs in Postgres was lost"));
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    schedule: false,
    registerInstance: false,
    superviseIntervalSeconds: LOOK_FOR_LOST_S,
    monitorIntervalSeconds: LOOK_FOR_LOST_S,
    openTelemetry: { enabled: false },
  });
  boss.on("error", (err) => logger.warn({ err }, "The jobs in Postgres could not be looked after"));
  try {
    await boss.start();
    const settings = {
      ...{ heartbeatSeconds: HEARTBEAT_S, expireInSeconds: LONGEST_S, deleteAfterSeconds: KEPT_S },
      ...{ retryLimit: RETRIES, retryDelay: 0, retryBackoff: false },
    };
    await boss.createQueue(QUEUE, { policy: "key_strict_fifo", ...settings });
    await boss.updateQueue(QUEUE, settings);
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined);
    await pool.end();
    throw error;
  }
  return new Jobs(boss, pool, most, logger);
}

class Jobs implements RunJobs {
  readonly #boss: PgBoss;
  readonly #pool: pg.Pool;
  readonly #most: number;
  readonly #logger: StorageLogger;
  readonly #active = new Map<ActiveJob, Promise<void>>();
  readonly #timers: NodeJS.Timeout[] = [];
  #carry: ((turn: JobTurn) => Promise<"done" | "handed_on">) | null = null;
  #fetching: Promise<void> | null = null;
  #again = false;
  #stopped = false;
  #ended: Promise<void> | null = null;

  constructor(boss: PgBoss, pool: pg.Pool, most: number, logger: StorageLogger) {
    this.#boss = boss;
    this.#pool = pool;
    this.#most = most;
    this.#logger = logger;
  }

  async wake(key: string): Promise<void> {
    await this.#boss.send(QUEUE, null, { singletonKey: key });
    this.#fetch();
  }

  work(carry: (turn: JobTurn) => Promise<"done" | "handed_on">): void {
    this.#carry = carry;
    this.#every(POLL_MS, async () => this.#fetch());
    this.#every(BEAT_MS, () => this.#beat());
    this.#every(SWEEP_MS, () => this.#sweep());
    this.#fetch();
  }

  stop(): Promise<void> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  async #end(): Promise<void> {
    this.#stopped = true;
    await this.#fetching;
    await Promise.all(this.#active.values());
    for (const timer of this.#timers) clearInterval(timer);
    await this.#boss.stop({ graceful: false }).catch(() => undefined);
    await this.#pool.end();
  }

  /** One at a time: while Postgres does not answer, nothing piles up. */
  #every(ms: number, act: () => Promise<void>): void {
    let isActing = false;
    const timer = setInterval(() => {
      if (isActing) return;
      isActing = true;
      act()
        .catch((err) => this.#logger.warn({ err }, "The jobs in Postgres could not be reached"))
        .finally(() => {
          isActing = false;
        });
    }, ms);
    this.#timers.push(timer);
  }

  #fetch(): void {
    this.#again = true;
    this.#fetching ??= this.#fetchAll()
      .catch((err) => this.#logger.warn({ err }, "Jobs could not be fetched from Postgres"))
      .finally(() => {
        this.#fetching = null;
      });
  }

  async #fetchAll(): Promise<void> {
    while (this.#again && !this.#stopped && this.#carry) {
      this.#again = false;
      const room = Math.min(FETCHED_AT_ONCE, this.#most - this.#active.size);
      if (room <= 0) return;
      const heardAt = performance.now();
      const jobs = await this.#boss.fetch(QUEUE, { batchSize: room, includeMetadata: true });
      for (const { id, retryCount, singletonKey } of jobs)
        this.#take({ id, retryCount, key: singletonKey ?? "", heardAt, lost: new AbortController() });
      if (jobs.length === room) this.#again = true;
    }
  }

  #take(job: ActiveJob): void {
    const isOver = this.#carryOut(job).finally(() => {
      this.#active.delete(job);
      if (!this.#stopped) this.#fetch();
    });
    this.#active.set(job, isOver);
  }

  async #carryOut(job: ActiveJob): Promise<void> {
    const { id, retryCount, key, lost } = job;
    const turn = { key, isSure: () => isSure(job), lost: lost.signal };
    try {
      const end = this.#stopped ? "handed_on" : ((await this.#carry?.(turn)) ?? "handed_on");
      if (end === "handed_on") await this.#boss.fail(QUEUE, { id, retryCount });
      else await this.#boss.complete(QUEUE, { id, retryCount });
    } catch (err) {
      // Somebody still has to carry the run on: that is noticed after a while.
      this.#logger.warn({ err }, "A turn of a run could not be carried out");
      await this.#boss.complete(QUEUE, { id, retryCount }).catch(() => undefined);
    }
  }

  /** Tells Postgres that this replica lives, and its engine what it has lost. */
  async #beat(): Promise<void> {
    const jobs = [...this.#active.keys()];
    for (const job of jobs) if (!isSure(job)) job.lost.abort();
    if (jobs.length === 0) return;
    const heardAt = performance.now();
    const response = await this.#boss.touch(
      QUEUE,
      jobs.map(({ id, retryCount }) => ({ id, retryCount })),
    );
    const known = new Set(touched.parse(response).settled);
    for (const job of jobs)
      if (known.has(job.id)) job.heardAt = heardAt;
      else if (this.#active.has(job)) job.lost.abort();
  }

  /** A run without a job: its replica ended before it could send one, or could not carry it on. */
  async #sweep(): Promise<void> {
    if (this.#stopped) return;
    const { rows } = await this.#pool.query<{ key: string }>(
      `SELECT DISTINCT key FROM run_owners WHERE ready = 1 AND NOT EXISTS (
         SELECT FROM pgboss.job WHERE name = $1 AND singleton_key = key AND state IN ('created', 'retry', 'active'))
       LIMIT 500`,
      [QUEUE],
    );
    for (const { key } of rows) await this.wake(key);
  }
}

function isSure({ heardAt }: ActiveJob): boolean {
  return performance.now() - heardAt < SURE_MS;
}
