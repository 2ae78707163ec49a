import Sqlite from "better-sqlite3";
import { Erasing } from "../../erasure/erasing.ts";
import { StorageFull } from "../../errors.ts";
import type { LogWriter } from "../../log/log-writer.ts";
import { type Guards, Transaction } from "../../log/transaction.ts";
import type { Writes } from "../../log/writes.ts";
import { AS_IT_COMES, type Redact } from "../../payload/stored-payload.ts";
import type { Connection } from "../connection.ts";
import { type Damage, isDamage } from "../data-dir/damage.ts";
import { prepareWrites } from "./statements.ts";
import type { CommitSync } from "./wal-sync.ts";

// The maximum time of a transaction of queued requests: the thread also answers HTTP requests. The rows of the conversations
// and the commit add up to half of it.
const LONGEST_GROUP_MS = 35;

/** A queued request. */
interface Request {
  /** It need not be durable when it resolves: a later request is, and completes it. */
  unsynced: boolean;
  /** Does the work and keeps its result or error. */
  run(transaction: Transaction): void;
  /** Settles the promise; called once it is durable. */
  answer(): void;
  fail(error: unknown): void;
}

/** Work in a transaction of its own. */
interface Alone {
  alone(transaction: Transaction): Promise<void>;
  answer(): void;
  fail(error: unknown): void;
}

/** Work on the file while nothing is written. */
interface Pause {
  pause(): Promise<void>;
  answer(): void;
  fail(error: unknown): void;
}

/**
 * The one writer, with group commit: requests that are queued while a commit is synced share the next transaction, so
 * one sync answers them all. Each request is a savepoint, so that one can fail alone.
 */
export class Writer implements LogWriter {
  readonly erasing = new Erasing();
  readonly #guards: Guards;
  readonly #sync: CommitSync | null;
  readonly #writes: Writes;
  readonly #damage: Damage;
  readonly #onCommit: (transaction: Transaction, seconds: number) => void;
  readonly #queue: (Request | Alone | Pause)[] = [];
  #scheduled = false;
  #working = false;
  #closed: (() => void) | null = null;

  /**
   * `onCommit` is called with the seconds of each commit, after its requests were answered. `redact` removes what must
   * not be stored from events. `sync` is awaited after each commit; without it, durability depends on the connection.
   */
  constructor(
    connection: Connection,
    damage: Damage,
    onCommit: (transaction: Transaction, seconds: number) => void,
    { redact = AS_IT_COMES, sync = null }: { redact?: Redact; sync?: CommitSync | null } = {},
  ) {
    this.#guards = { erasing: this.erasing, redact };
    this.#damage = damage;
    this.#sync = sync;
    this.#writes = prepareWrites(connection);
    this.#onCommit = onCommit;
  }

  async epoch(): Promise<number> {
    return this.erasing.epoch();
  }

  /** The number of queued requests. */
  get queued(): number {
    return this.#queue.length;
  }

  /**
   * Runs `work` in the next transaction; resolves when it is durable. Throws what `work` throws, `StorageFull`, or
   * `StorageDamaged`.
   */
  submit<T>(work: (transaction: Transaction) => T): Promise<T> {
    return this.#submit(work, false);
  }

  /**
   * The same for a part that a later request completes and that is invisible until then: it is not awaited on disk.
   * Writes become durable in order, so the later request includes it.
   */
  submitPart<T>(work: (transaction: Transaction) => T): Promise<T> {
    return this.#submit(work, true);
  }

  #submit<T>(work: (transaction: Transaction) => T, unsynced: boolean): Promise<T> {
    return new Promise((resolve, reject) => {
      let settle = () => reject(new Error("A write was answered before it was done"));
      this.#enqueue({
        unsynced,
        run(transaction) {
          try {
            const result = transaction.attempt(() => work(transaction));
            settle = () => resolve(result);
          } catch (error) {
            if (isDiskError(error) || isDamage(error)) throw error;
            settle = () => reject(error);
          }
        },
        answer: () => settle(),
        fail: reject,
      });
    });
  }

  /**
   * Runs long work in a transaction of its own. `work` yields to the event loop; other writes wait for its end, reads
   * do not. If it throws, everything is rolled back.
   */
  submitAlone<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let settle = () => reject(new Error("A write was answered before it was done"));
      this.#enqueue({
        async alone(transaction) {
          const result = await work(transaction);
          settle = () => resolve(result);
        },
        answer: () => settle(),
        fail: reject,
      });
    });
  }

  /** Runs `work` between two transactions: writes wait for its end, reads do not. Throws what `work` throws. */
  pause(work: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#enqueue({ pause: work, answer: resolve, fail: reject });
    });
  }

  /** Writes what is queued and accepts no more. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#closed = resolve;
      this.#schedule();
    });
  }

  #enqueue(request: Request | Alone | Pause): void {
    if (this.#closed) {
      request.fail(new Error("The storage is closed"));
      return;
    }
    if (this.#damage.found) {
      request.fail(this.#damage.found);
      return;
    }
    this.#queue.push(request);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled || this.#working) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#next();
    });
  }

  #next(): void {
    const first = this.#queue.shift();
    if (!first) {
      this.#closed?.();
      return;
    }
    if (!("run" in first)) {
      this.#wait("alone" in first ? this.#writeAlone(first) : first.pause().then(first.answer, first.fail));
      return;
    }
    this.#writeGroup(first);
    if (this.#queue.length > 0 || this.#closed) this.#schedule();
  }

  #writeGroup(first: Request): void {
    const began = performance.now();
    const transaction = new Transaction(this.#writes, true, this.#guards);
    const group = [first];
    // The system clock may be set back.
    const deadline = began + LONGEST_GROUP_MS;
    try {
      transaction.begin();
      // The group grows while it is processed.
      for (const request of group) {
        request.run(transaction);
        const next = performance.now() < deadline ? this.#takeRequest(first) : null;
        if (next) group.push(next);
      }
      transaction.commit();
    } catch (error) {
      transaction.rollback();
      const refusal = this.#refusal(error);
      for (const request of group) request.fail(refusal);
      return;
    }
    const answer = () => this.#answer(group, transaction, began);
    if (this.#sync === null || first.unsynced) answer();
    else this.#wait(this.#sync.sync().then(answer, (error) => this.#unsynced(group, error)));
  }

  #takeRequest({ unsynced }: Request): Request | null {
    const [next] = this.#queue;
    if (!next || !("run" in next) || next.unsynced !== unsynced) return null;
    this.#queue.shift();
    return next;
  }

  async #writeAlone(request: Alone): Promise<void> {
    const began = performance.now();
    const transaction = new Transaction(this.#writes, false, this.#guards);
    try {
      transaction.begin();
      await request.alone(transaction);
      transaction.commit();
    } catch (error) {
      transaction.rollback();
      request.fail(this.#refusal(error));
      return;
    }
    try {
      await this.#sync?.sync();
    } catch (error) {
      this.#unsynced([request], error);
      return;
    }
    this.#answer([request], transaction, began);
  }

  /** Pauses writes until `work` has ended. */
  #wait(work: Promise<void>): void {
    this.#working = true;
    void work.finally(() => {
      this.#working = false;
      this.#schedule();
    });
  }

  #answer(group: readonly (Request | Alone)[], transaction: Transaction, began: number): void {
    const seconds = (performance.now() - began) / 1_000;
    for (const request of group) request.answer();
    this.#onCommit(transaction, seconds);
  }

  /**
   * After a failed sync the system may have dropped the data, and report no error the next time. What was committed
   * before is on disk, so nothing acknowledged is lost if nothing more is written.
   */
  #unsynced(group: readonly (Request | Alone)[], cause: unknown): void {
    const refusal = this.#damage.note(new Error("The disk could not sync the write-ahead log", { cause }));
    for (const request of [...group, ...this.#queue.splice(0)]) request.fail(refusal);
  }

  #refusal(error: unknown): unknown {
    return isDiskError(error) ? new StorageFull(error) : this.#damage.explain(error);
  }
}

/** Whether SQLite reports that the disk is full, or cannot be read or written. */
export function isDiskError(error: unknown): boolean {
  return (
    error instanceof Sqlite.SqliteError &&
    (error.code.startsWith("SQLITE_FULL") || error.code.startsWith("SQLITE_IOERR"))
  );
}
