/** How much storage holds and how far behind it is, counted when it is asked for. */
export interface StorageMeasures {
  /** Requests queued for the writer. */
  queued: number;
  /** Events that the index of the search lacks, counted up to 10,000. */
  unsearched: number;
  /** Spans of OpenTelemetry that wait to be told (E15). */
  spans: number;
  confirmations: {
    waiting: number;
    /** When the oldest of them was asked for, epoch ms; null where none waits. */
    oldest: number | null;
  };
  /** Managers who were called and have not come (D9). */
  alerts: number;
  notices: {
    unsent: number;
    /** When the oldest of them was due, epoch ms; null where none waits. */
    oldest: number | null;
  };
  /** Of the database's file. */
  file: {
    bytes: number;
    /** Of it: pages that the next writes take. */
    free: number;
  };
  /** Of the write-ahead log. */
  wal: number;
  /** What is free on the disk of the data directory, for this user. */
  disk: number;
}

/** A commit, told once it is done. */
export interface Commit {
  /** What came in with it; imports and the history of forks do not count. */
  events: number;
  seconds: number;
}
