import Sqlite from "better-sqlite3";
import { Erasing } from "../../erasing.ts";
import { StorageFull } from "../../errors.ts";
import type { LogWriter } from "../../log/log-writer.ts";
import { type Guards, Transaction } from "../../log/transaction.ts";
import type { Writes } from "../../log/writes.ts";
import { AS_IT_COMES, type Redact } from "../../stored-payload.ts";
import type { Connection } from "../connection.ts";
import { type Damage, isDamage } from "../data-dir/damage.ts";
import { prepareWrites } from "./statements.ts";
import type { CommitSync } from "./wal-sync.ts";

// One transaction takes what is queued, but no longer than this at a time: the thread also answers requests.
const LONGEST_GROUP_MS = 50;

/** A request that waits for its turn. */
interface Request {
  /** It need not be on disk when it is answered: a later request is, and is worth nothing without it. */
  unsynced: boolean;
  /** Does the work and remembers its outcome. */
  run(transaction: Transaction): void;
  /** Answers with the outcome; called once it is on disk. */
  answer(): void;
  fail(error: unknown): void;
}

/** Work that takes a transaction for itself. */
interface Alone {
  alone(transaction: Transaction): Promise<void>;
  answer(): void;
  fail(error: unknown): void;
}

/** What is done to the file itself while nothing is written. */
interface Pause {
  pause(): Promise<void>;
  answer(): void;
  fail(error: unknown): void;
}

/**
 * The one writer. Requests queue, and what has queued while the last commit was synced goes into the next transaction
 * together: one sync answers them all. Each request is a savepoint, so that one that fails leaves the others alone.
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
   * `onCommit` is called after each commit, with the seconds it took, when those who waited for it have been answered.
   * `redact` takes out of events what is not to be stored. `sync` is waited for after each commit; without it, a commit is as
   * durable as the connection makes it.
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

  /** How many requests wait for their turn. */
  get queued(): number {
    return this.#queue.length;
  }

  /**
   * Does `work` in the next transaction and answers when it is on disk. Throws what `work` throws, `StorageFull`, or
   * `StorageDamaged`.
   */
  submit<T>(work: (transaction: Transaction) => T): Promise<T> {
    return this.#submit(work, false);
  }

  /**
   * The same for a part of what a later request completes, and which nobody sees before: the disk is not waited for. What
   * is on disk is never without what was written before it, so that the later request brings this one along.
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
   * Does long work in a transaction of its own. `work` lets the event loop go on between its parts; other writes wait
   * for its end, reads do not. What it throws undoes all of it.
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

  /** Does `work` between two transactions: whoever writes waits for its end, reads do not. Throws what `work` throws. */
  pause(work: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#enqueue({ pause: work, answer: resolve, fail: reject });
    });
  }

  /** Writes what is queued, then takes no more. */
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
    // The machine's clock may be set back meanwhile.
    const deadline = began + LONGEST_GROUP_MS;
    try {
      transaction.begin();
      // The group grows while it is written.
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

  /** Nothing else is written until `work` has ended. */
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
   * The system may have dropped what it could not sync, and say nothing the next time. What was committed before is on disk,
   * so nothing acknowledged is lost as long as nothing follows.
   */
  #unsynced(group: readonly (Request | Alone)[], cause: unknown): void {
    const refusal = this.#damage.note(new Error("The disk could not sync the write-ahead log", { cause }));
    for (const request of [...group, ...this.#queue.splice(0)]) request.fail(refusal);
  }

  #refusal(error: unknown): unknown {
    return isDiskError(error) ? new StorageFull(error) : this.#damage.explain(error);
  }
}

/** Tells whether SQLite says that the disk is full, or cannot be written or read. */
export function isDiskError(error: unknown): boolean {
  return (
    error instanceof Sqlite.SqliteError &&
    (error.code.startsWith("SQLITE_FULL") || error.code.startsWith("SQLITE_IOERR"))
  );
}
