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
  /** The size of the database. */
  bytes: number;
  /** Of SQLite's files, in bytes; null in Postgres. */
  files: {
    /** Free pages, which later writes use. */
    free: number;
    /** The write-ahead log. */
    wal: number;
  } | null;
  /** Of the pool of connections that this replica reads through; null in SQLite. */
  pool: {
    open: number;
    idle: number;
    /** Queries that wait for a connection. */
    waiting: number;
  } | null;
  /** Free space on the disk of the data directory, for this user. */
  disk: number;
}

/** A completed commit. */
export interface Commit {
  /** New events in it, without imports and histories of forks. */
  events: number;
  seconds: number;
}
