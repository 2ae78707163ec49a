/** The kinds of storage errors. `code` identifies the kind across threads, where `instanceof` does not. */
export type StorageErrorCode =
  | "conflict"
  | "taken_over"
  | "not_held"
  | "stale"
  | "out_of_range"
  | "not_made"
  | "bad_cursor"
  | "storage_full"
  | "storage_damaged"
  | "storage_unreachable"
  | "data_refused"
  | "newer_database"
  | "data_dir_locked"
  | "wrong_runtime";

/** An error that the caller can act on. `message` is one sentence that can be shown to the user. */
export class StorageError extends Error {
  readonly code: StorageErrorCode;

  constructor(code: StorageErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** The event id exists in another conversation (E2): 409. `index` is the event's index in the request, or null. */
export class Conflict extends StorageError {
  readonly index: number | null;

  constructor(message: string, index: number | null = null) {
    super("conflict", message);
    this.index = index;
  }
}

/** An agent of this server may not write a message: `by` has taken over the conversation (D11). */
export class TakenOver extends StorageError {
  readonly by: string;

  constructor(conversationId: string, by: string) {
    super(
      "taken_over",
      `${by} has taken over the conversation ${conversationId}; hand it back before an agent can answer`,
    );
    this.by = by;
  }
}

/** Another replica carries the run on: whoever held it before can append nothing more, and drops it. */
export class NotHeld extends StorageError {
  constructor(runId: string) {
    super("not_held", `The run ${runId} is carried on by another replica`);
  }
}

/** The agent state has another version than the writer expected (E12): 412. `version` is the current one, 0 if it does not exist. */
export class Stale extends StorageError {
  readonly version: number;

  constructor(message: string, version: number) {
    super("stale", message);
    this.version = version;
  }
}

/** The session does not have this step: 400. `last` is its newest step. */
export class OutOfRange extends StorageError {
  readonly last: number;
  /** What of the request names the step. */
  readonly field: "at" | "seq";

  constructor(message: string, last: number, field: "at" | "seq" = "at") {
    super("out_of_range", message);
    this.last = last;
    this.field = field;
  }
}

/** The projection is still being built in the background: 503. `made` is the last step it covers. */
export class NotMade extends StorageError {
  readonly made: number;
  readonly last: number;

  constructor(made: number, last: number) {
    super("not_made", `The timeline of this session is being built (step ${made} of ${last}); retry in a second`);
    this.made = made;
    this.last = last;
  }
}

/** The cursor is not one that this list returned: 400. */
export class BadCursor extends StorageError {
  constructor() {
    super("bad_cursor", "The cursor is invalid for this list; start again without it");
  }
}

/** The disk is full: 503. Nothing of the request was stored; reads still work, and later writes may succeed. */
export class StorageFull extends StorageError {
  constructor(cause: unknown) {
    super("storage_full", "The disk is full or not writable, so nothing was stored; free space and retry", { cause });
  }
}

/** The database file is damaged: 503. Writes are refused until it is repaired; reads of undamaged pages still work. */
export class StorageDamaged extends StorageError {
  constructor(cause: unknown) {
    super(
      "storage_damaged",
      "The database file is damaged, so Obelus no longer writes to it; stop Obelus, run npm run check, and restore a backup if needed",
      { cause },
    );
  }
}

/** The database server does not answer: 503. Whether the last write was stored is unknown; repeating it is safe. */
export class StorageUnreachable extends StorageError {
  constructor(cause: unknown) {
    super("storage_unreachable", "The database cannot be reached; retry in a moment", { cause });
  }
}

/** A command (backup, restore, check) cannot be carried out on this data directory; `message` says what to do. */
export class DataRefused extends StorageError {
  constructor(message: string, options?: ErrorOptions) {
    super("data_refused", message, options);
  }
}

/** The database was created by a newer version of Obelus. Thrown on open. */
export class NewerDatabase extends StorageError {
  constructor(name: string) {
    super(
      "newer_database",
      `${name} was created by a newer version of Obelus; install that version or use another database`,
    );
  }
}

/** Another process uses the data directory. Thrown on open. `pid` is null if that process did not record its pid. */
export class DataDirLocked extends StorageError {
  readonly pid: number | null;

  constructor(dataDir: string, pid: number | null) {
    const holder = pid === null ? "another process" : `process ${pid}`;
    super(
      "data_dir_locked",
      `${dataDir} is in use by ${holder}; stop it first or set OBELUS_DATA_DIR to another directory`,
    );
    this.pid = pid;
  }
}

/** better-sqlite3 crashes on this version of Node. Thrown on open. */
export class WrongRuntime extends StorageError {
  constructor(version: string) {
    super(
      "wrong_runtime",
      `Obelus requires Node 24 or newer and runs on ${version}; start it with npm, which uses its own Node`,
    );
  }
}
