/** Why storage refused; `code` tells the kind apart, also across threads. */
export type StorageErrorCode =
  | "conflict"
  | "taken_over"
  | "stale"
  | "out_of_range"
  | "not_made"
  | "bad_cursor"
  | "storage_full"
  | "storage_damaged"
  | "data_refused"
  | "newer_database"
  | "data_dir_locked"
  | "wrong_runtime";

/** A refusal that its caller can act on. `message` is one sentence, fit to be shown to the person who asked. */
export class StorageError extends Error {
  readonly code: StorageErrorCode;

  constructor(code: StorageErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** The event id is taken by another conversation (E2): a 409. `index` is its place in what was handed in, or null. */
export class Conflict extends StorageError {
  readonly index: number | null;

  constructor(message: string, index: number | null = null) {
    super("conflict", message);
    this.index = index;
  }
}

/** A manager has taken the conversation over, and an agent of this server would have spoken (D11). `by`: who has. */
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

/** The writer believed in another version of the agent state (E12): a 412. `version` is the current one, 0 when there is none. */
export class Stale extends StorageError {
  readonly version: number;

  constructor(message: string, version: number) {
    super("stale", message);
    this.version = version;
  }
}

/** A step that the session does not have: a 400. `last` is the newest it has. */
export class OutOfRange extends StorageError {
  readonly last: number;

  constructor(message: string, last: number) {
    super("out_of_range", message);
    this.last = last;
  }
}

/** What is asked for is made in the background and does not reach so far yet: a 503. `made` is the last step that it reaches. */
export class NotMade extends StorageError {
  readonly made: number;
  readonly last: number;

  constructor(made: number, last: number) {
    super("not_made", `The timeline of this session is being built (step ${made} of ${last}); retry in a second`);
    this.made = made;
    this.last = last;
  }
}

/** A cursor that no list gave out: a 400. */
export class BadCursor extends StorageError {
  constructor() {
    super("bad_cursor", "The cursor is invalid for this list; start again without it");
  }
}

/** The disk took no more: a 503. Nothing of the request was stored; reads go on and later writes may succeed. */
export class StorageFull extends StorageError {
  constructor(cause: unknown) {
    super("storage_full", "The disk is full or not writable, so nothing was stored; free space and retry", { cause });
  }
}

/** The file is damaged: a 503. Nothing is written any more until it is mended; reads that find what they need go on. */
export class StorageDamaged extends StorageError {
  constructor(cause: unknown) {
    super(
      "storage_damaged",
      "The database file is damaged, so Obelus no longer writes to it; stop Obelus, run npm run check, and restore a backup if needed",
      { cause },
    );
  }
}

/** What a command was to do with the data, back it up, restore or check it, cannot be done so; `message` says what to do. */
export class DataRefused extends StorageError {
  constructor(message: string, options?: ErrorOptions) {
    super("data_refused", message, options);
  }
}

/** The database was made by a newer version of the program; thrown when it is opened. */
export class NewerDatabase extends StorageError {
  constructor(file: string) {
    super(
      "newer_database",
      `${file} was created by a newer version of Obelus; install that version or use another data directory`,
    );
  }
}

/** Another process works on the data directory; thrown when it is opened. `pid` is null when the other left no note. */
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

/** The program runs on a Node that better-sqlite3 crashes on; thrown when the database is opened. */
export class WrongRuntime extends StorageError {
  constructor(version: string) {
    super(
      "wrong_runtime",
      `Obelus requires Node 24 or newer and runs on ${version}; start it with npm, which uses its own Node`,
    );
  }
}
