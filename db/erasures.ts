/** What is to be erased: all of a user, or one conversation with its forks and copies. */
export type ErasureKind = "user" | "conversation";

/**
 * How far an erasure is: `requested` and waiting for its turn, `erasing` events and what follows from them, `compacting` the
 * file: what is left of it there is cleared, `finished`.
 */
export type ErasurePhase = "requested" | "erasing" | "compacting" | "finished";

export interface Erasure {
  id: string;
  kind: ErasureKind;
  /** What is erased; null once it is. */
  target: string | null;
  reason: string | null;
  /** A keyed digest of the target: whoever knows the name can tell that it was this one. */
  receipt: string;
  phase: ErasurePhase;
  /** Conversations and events that were erased so far. */
  conversations: number;
  events: number;
  requested_at: string;
  requested_by: string;
  finished_at: string | null;
}

/** Takes people out of the database: asked for once, carried out step by step, also across ends of the process. */
export interface ErasureStore {
  add(
    erasure: Pick<Erasure, "id" | "kind" | "receipt" | "reason" | "requested_by"> & { target: string },
  ): Promise<Erasure>;
  get(id: string): Promise<Erasure | null>;
  /** The newest first. */
  list(limit: number): Promise<Erasure[]>;
  /** Those that are not finished, the oldest first. */
  unfinished(): Promise<Erasure[]>;
  /**
   * Looks for what is to be erased and was not yet, and takes note of it. `nothing`: there is none. `later`: an import or a
   * fork is being stored, which may bring some.
   */
  find(id: string): Promise<"found" | "nothing" | "later">;
  /**
   * Closes what was found to all writes, and ends what is open in it. Names runs of this server's engine that have to be
   * cancelled before: then nothing is closed.
   */
  close(id: string): Promise<string[]>;
  /** Erases what was found, a page at a time between other writes. */
  erase(id: string): Promise<void>;
  /** All of it is erased: its name is forgotten. */
  forget(id: string): Promise<void>;
  /**
   * Clears what was erased from the rest of the database file and from the write-ahead log, between other writes. Then the erasures
   * that waited for it are finished, which it gives, and what was closed takes writes again. Throws when the signal ends it;
   * it is begun again then.
   */
  compact(signal: AbortSignal): Promise<Erasure[]>;
}
