import { randomInt } from "node:crypto";
import type { LogWriter } from "../../log/log-writer.ts";
import { Transaction } from "../../log/transaction.ts";
import { IS_SEEN } from "../../log/unfinished.ts";
import type { Writes } from "../../log/writes.ts";
import type { Redact } from "../../payload/stored-payload.ts";
import type { NewEvent } from "../../repositories.ts";
import type { Database, Queries, Session } from "../database.ts";
import { LOCKS } from "../locks.ts";
import { type Beginning, TransactionRows, UNKNOWN } from "./transaction-rows.ts";

// One transaction takes what is queued, but decides no longer than this at a time: the thread also answers requests, and reads the
// next ones while Postgres writes. With 50 ms, batches of eight clients went into one transaction, thread and Postgres waited for
// each other, and a third less was stored.
const LONGEST_GROUP_MS = 12;

// Each time, something is found that was not looked up before. What is decided by it names few other things.
const MOST_DECISIONS = 20;

/** A request that waits for its turn. */
interface Request {
  kind: "synced" | "part" | "alone";
  /** The events that it appends, where that is known and all it does. */
  appends?: readonly NewEvent[] | undefined;
  /** Does the work and remembers its outcome. */
  run(transaction: Transaction, rows: TransactionRows): void | Promise<void>;
  /** Throws where nothing of the transaction is to be stored. */
  refuse?(): void;
  /** Answers with the outcome; called once it is on disk. */
  answer(): void;
  fail(error: unknown): void;
}

/** What is known within a transaction in which nothing else is done. */
export interface Direct {
  head: number;
  recordedAt: number;
  /** Runs rules that storages share on rows, and writes what they write. `work` may be done again, as in `submit`. */
  project(work: (writes: Writes) => void): Promise<void>;
}

type DirectWork<T> = (queries: Queries, direct: Direct) => Promise<T>;

/** What is written one transaction after the other. */
export type DirectWriter = Pick<PostgresWriter, "submit" | "submitDirect" | "submitDirectPart">;

/**
 * The one writer of a replica. What has queued while the last commit went on goes into the next transaction together. The
 * transaction holds the lock of the log from its first statement to its commit, so that positions are given in the order
 * of commits, and nothing that a request decides by can change before it is stored.
 */
export class PostgresWriter implements LogWriter {
  readonly #database: Database;
  readonly #durability: "full" | "normal";
  readonly #redact: Redact;
  readonly #onCommit: (transaction: Transaction, seconds: number) => void;
  readonly #queue: Request[] = [];
  readonly #direct: (() => Promise<void>)[] = [];
  #session: Session | null = null;
  #owner = newOwner();
  #working: Promise<void> | null = null;
  #closed = false;

  /** `onCommit` is called after each commit, with the seconds it took, when those who waited for it have been answered. */
  constructor(
    database: Database,
    durability: "full" | "normal",
    redact: Redact,
    onCommit: (transaction: Transaction, seconds: number) => void,
  ) {
    this.#database = database;
    this.#durability = durability;
    this.#redact = redact;
    this.#onCommit = onCommit;
  }

  /**
   * The key of a lock that its connection holds: its name in rows that others take over when that has ended. Each connection has
   * its own, so that what was begun on a lost one, and could not be removed without it, is removed like that of a dead replica.
   */
  get owner(): number {
    return this.#owner;
  }

  async epoch(): Promise<number> {
    const [row] = await this.#database.rows<{ epoch: number }>("SELECT epoch FROM erasure_epoch");
    return row?.epoch ?? 0;
  }

  /** How many requests wait for their turn. */
  get queued(): number {
    return this.#queue.length + this.#direct.length;
  }

  submit<T>(work: (transaction: Transaction) => T, appends?: readonly NewEvent[]): Promise<T> {
    return this.#submit("synced", work, appends);
  }

  /** The same, with statements of a store beside the log in the same transaction. */
  submitBeside<T>(work: (transaction: Transaction, rows: TransactionRows) => T): Promise<T> {
    return this.#submit("synced", work);
  }

  submitPart<T>(work: (transaction: Transaction) => T): Promise<T> {
    return this.#submit("part", work);
  }

  submitAlone<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let outcome: { result: T } | { error: unknown } = { error: new Error("A write was answered before it was done") };
      this.#enqueue({
        kind: "alone",
        async run(transaction) {
          try {
            outcome = { result: await work(transaction) };
          } catch (error) {
            outcome = { error };
          }
        },
        refuse() {
          if ("error" in outcome) throw outcome.error;
        },
        answer() {
          if ("result" in outcome) resolve(outcome.result);
        },
        fail: reject,
      });
    });
  }

  /** Runs statements of a store beside the log in a transaction that holds the log's lock. Throws what `work` throws. */
  submitDirect<T>(work: DirectWork<T>): Promise<T> {
    return this.#submitDirect(work, false);
  }

  /** The same for a part of what a later transaction completes: the disk is not waited for. */
  submitDirectPart<T>(work: DirectWork<T>): Promise<T> {
    return this.#submitDirect(work, true);
  }

  #submitDirect<T>(work: DirectWork<T>, isPart: boolean): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#closed) throw new Error("The storage is closed");
      this.#direct.push(() => this.#runDirect(work, isPart).then(resolve, reject));
      this.#schedule();
    });
  }

  /** Connects, and takes the lock that tells the others that this replica lives. */
  async connect(): Promise<void> {
    await this.#connected();
  }

  /** Writes what is queued, then takes no more. */
  async close(): Promise<void> {
    this.#closed = true;
    while (this.#working) await this.#working;
    await this.#session?.close();
  }

  #submit<T>(
    kind: "synced" | "part",
    work: (transaction: Transaction, rows: TransactionRows) => T,
    appends?: readonly NewEvent[],
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      let settle = () => reject(new Error("A write was answered before it was done"));
      this.#enqueue({
        kind,
        appends,
        run(transaction, rows) {
          try {
            const result = transaction.attempt(() => work(transaction, rows));
            settle = () => resolve(result);
          } catch (error) {
            settle = () => reject(error);
          }
        },
        answer: () => settle(),
        fail: reject,
      });
    });
  }

  #enqueue(request: Request): void {
    if (this.#closed) {
      request.fail(new Error("The storage is closed"));
      return;
    }
    this.#queue.push(request);
    this.#schedule();
  }

  #schedule(): void {
    this.#working ??= this.#work().finally(() => {
      this.#working = null;
      if (this.queued > 0) this.#schedule();
    });
  }

  async #work(): Promise<void> {
    // What is asked for in one turn of the event loop shares a transaction.
    await new Promise(setImmediate);
    while (this.queued > 0) {
      const group = this.#takeGroup();
      if (group.length > 0) await this.#writeGroup(group);
      await this.#direct.shift()?.();
    }
  }

  #takeGroup(): Request[] {
    const [first] = this.#queue;
    if (!first) return [];
    const end = first.kind === "alone" ? 1 : this.#queue.findIndex(({ kind }) => kind !== first.kind);
    return this.#queue.splice(0, end === -1 ? this.#queue.length : end);
  }

  async #writeGroup(group: Request[]): Promise<void> {
    const began = performance.now();
    try {
      const session = await this.#connected();
      const rows = new TransactionRows(this.#owner);
      // Before the lock is asked for: what is to be looked up is then known.
      await this.#foresee(rows, group);
      const [beginning] = await Promise.all([this.#begin(session, group[0]?.kind === "part"), rows.lookUp(session)]);
      let transaction: Transaction;
      let decisions = 0;
      do {
        decisions += 1;
        if (decisions > MOST_DECISIONS) throw new Error("A write finds something new each time that it is decided");
        transaction = await this.#decide(rows, group, beginning);
      } while (await rows.lookUp(session));
      group[0]?.refuse?.();
      await Promise.all([
        ...rows.statements().map(({ text, values }) => session.run(text, values)),
        session.run("COMMIT"),
      ]);
      for (const request of group) request.answer();
      this.#onCommit(transaction, (performance.now() - began) / 1_000);
    } catch (error) {
      await this.#rollBack();
      for (const request of group) request.fail(error);
    }
  }

  /** Notes what the requests will ask for. Where their events do not tell, they are decided with nothing known. */
  async #foresee(rows: TransactionRows, group: Request[]): Promise<void> {
    const transaction = this.#decider(rows, UNKNOWN);
    await this.#eachInTime(group, (request) => {
      if (!request.appends || !rows.expect(request.appends)) return request.run(transaction, rows);
    });
    transaction.saveConversations();
  }

  /** Does the requests' work on rows in memory. */
  async #decide(rows: TransactionRows, group: Request[], beginning: Beginning): Promise<Transaction> {
    const transaction = this.#decider(rows, beginning);
    await this.#eachInTime(group, (request) => request.run(transaction, rows));
    transaction.saveConversations();
    return transaction;
  }

  #decider(rows: TransactionRows, beginning: Beginning): Transaction {
    rows.reset(beginning);
    const transaction = new Transaction(rows.writes, true, { erasing: rows.erasing, redact: this.#redact });
    transaction.begin();
    return transaction;
  }

  /** One request after the other. Those for which there is no time go back into the queue. */
  async #eachInTime(group: Request[], work: (request: Request) => void | Promise<void>): Promise<void> {
    const deadline = performance.now() + LONGEST_GROUP_MS;
    for (const [index, request] of group.entries()) {
      if (index > 0 && performance.now() > deadline) {
        this.#queue.unshift(...group.splice(index));
        break;
      }
      const done = work(request);
      if (done) await done;
    }
  }

  async #begin(session: Session, isPart: boolean): Promise<Beginning> {
    const isUnsynced = isPart || this.#durability === "normal";
    const [, , , [beginning]] = await Promise.all([
      session.run("BEGIN"),
      session.run(`SET LOCAL synchronous_commit = ${isUnsynced ? "off" : "on"}`),
      session.rows("SELECT pg_advisory_xact_lock($1)", [LOCKS.log]),
      session.rows<Beginning>(BEGINNING),
    ]);
    if (!beginning) throw new Error("The log told neither its end nor that it is empty");
    return beginning;
  }

  async #runDirect<T>(work: DirectWork<T>, isPart: boolean): Promise<T> {
    try {
      const session = await this.#connected();
      const beginning = await this.#begin(session, isPart);
      const result = await work(session, {
        head: beginning.head,
        recordedAt: Date.now(),
        project: (project) => this.#project(session, beginning, project),
      });
      await session.run("COMMIT");
      return result;
    } catch (error) {
      await this.#rollBack();
      throw error;
    }
  }

  async #project(session: Session, beginning: Beginning, work: (writes: Writes) => void): Promise<void> {
    const rows = new TransactionRows(this.#owner);
    do {
      rows.reset(beginning);
      work(rows.writes);
    } while (await rows.lookUp(session));
    await Promise.all(rows.statements().map(({ text, values }) => session.run(text, values)));
  }

  async #connected(): Promise<Session> {
    if (this.#session) return this.#session;
    const session = await this.#database.connect();
    const owner = newOwner();
    session.onLost(() => {
      this.#session = null;
    });
    await Promise.all([
      session.rows("SELECT pg_advisory_lock($1)", [owner]),
      // All that is looked up here has a key. Without it, a log that nobody has analyzed yet is read from its beginning.
      session.run("SET enable_seqscan = off"),
    ]);
    this.#session = session;
    this.#owner = owner;
    return session;
  }

  async #rollBack(): Promise<void> {
    // A connection that was lost has rolled back by itself.
    await this.#session?.run("ROLLBACK").catch(() => undefined);
  }
}

function newOwner(): number {
  return randomInt(2 ** 47);
}

const BEGINNING = `SELECT
  coalesce((SELECT position FROM events WHERE ${IS_SEEN} ORDER BY position DESC LIMIT 1), 0) AS head,
  (SELECT position FROM unfinished_forks WHERE conversation_id = '') AS "stagedFrom",
  (SELECT owner FROM unfinished_forks WHERE conversation_id = '') AS "stagedBy",
  coalesce((SELECT epoch FROM erasure_epoch), 0) AS epoch, coalesce((SELECT floor FROM erasure_epoch), 0) AS floor,
  EXISTS (SELECT 1 FROM closed_conversations) AS "isErasing"`;
