/** Gauges of the storage, computed on request. */
export interface StorageMeasures {
  /** Requests queued for the writer. */
  queued: number;
  /** Events not yet indexed for search, counted up to 10,000. */
  unsearched: number;
  /** Spans in the trace buffer (E15). */
  spans: number;
  confirmations: {
    waiting: number;
    /** When the oldest was requested, epoch ms; null if there is none. */
    oldest: number | null;
  };
  /** Open alerts (D9). */
  alerts: number;
  notices: {
    unsent: number;
    /** When the oldest was due, epoch ms; null if there is none. */
    oldest: number | null;
  };
  /** The database file. */
  file: {
    bytes: number;
    /** Free pages in it, which later writes use. */
    free: number;
  };
  /** The size of the write-ahead log. */
  wal: number;
  /** Free space on the disk of the data directory, for this user. */
  disk: number;
}

/** A completed commit. */
export interface Commit {
  /** New events in it, without imports and histories of forks. */
  events: number;
  seconds: number;
}
