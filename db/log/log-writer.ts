import type { NewEvent } from "../repositories.ts";
import type { Transaction } from "./transaction.ts";

/** The one place through which the log grows. What is queued shares a transaction; one request that fails leaves the others alone. */
export interface LogWriter {
  /**
   * Changes with each erasure. Who reads data to store something derived from it asks for it before, and passes it on: what
   * was erased meanwhile must not be stored again.
   */
  epoch(): Promise<number>;
  /**
   * Does `work` in the next transaction and answers when it is on disk. Throws what `work` throws. `work` may be done
   * again before anything is stored, so it changes nothing but the transaction. `appends`: the events that it appends, where
   * that is all it does, so that a storage can look up at once what is to be known of them.
   */
  submit<T>(work: (transaction: Transaction) => T, appends?: readonly NewEvent[]): Promise<T>;
  /** The same for a part of what a later request completes, and which nobody sees before: the disk is not waited for. */
  submitPart<T>(work: (transaction: Transaction) => T): Promise<T>;
  /** Does long work in a transaction of its own; other writes wait for its end, reads do not. What it throws undoes all of it. */
  submitAlone<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
}
