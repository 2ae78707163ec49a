/** What is erased: everything of a user, or a conversation with its forks and copies. */
export type ErasureKind = "user" | "conversation";

/**
 * The progress of an erasure: `requested` (queued), `erasing` (events and projections), `compacting` (clearing the
 * remains from the database file), `finished`.
 */
export type ErasurePhase = "requested" | "erasing" | "compacting" | "finished";

export interface Erasure {
  id: string;
  kind: ErasureKind;
  /** What is erased; null once it is finished. */
  target: string | null;
  reason: string | null;
  /** A keyed digest of the target, by which somebody who knows the name can verify the erasure. */
  receipt: string;
  phase: ErasurePhase;
  /** The numbers of conversations and events erased so far. */
  conversations: number;
  events: number;
  requested_at: string;
  requested_by: string;
  finished_at: string | null;
}

/** Erasures of personal data. They are requested once and carried out in steps that survive restarts. */
export interface ErasureStore {
  add(
    erasure: Pick<Erasure, "id" | "kind" | "receipt" | "reason" | "requested_by"> & { target: string },
  ): Promise<Erasure>;
  get(id: string): Promise<Erasure | null>;
  /** Newest first. */
  list(limit: number): Promise<Erasure[]>;
  /** Those that are not finished, oldest first. */
  unfinished(): Promise<Erasure[]>;
  /**
   * Finds and stores what is to be erased and was not yet. `nothing`: there is none. `later`: an import or a fork that
   * may add some is being stored.
   */
  find(id: string): Promise<"found" | "nothing" | "later">;
  /**
   * Closes the found conversations to writes and ends what is open in them. If runs of this server's engine have to be
   * cancelled first, returns their ids and closes nothing.
   */
  close(id: string): Promise<string[]>;
  /** Erases what was found, a page at a time between other writes. */
  erase(id: string): Promise<void>;
  /** Removes the target's name once everything is erased. */
  forget(id: string): Promise<void>;
  /**
   * Clears erased content from free space in the database file and from the write-ahead log, between other writes.
   * Returns the erasures that this finishes; their conversations accept writes again. Throws if the signal aborts; it
   * is then started again.
   */
  compact(signal: AbortSignal): Promise<Erasure[]>;
}
