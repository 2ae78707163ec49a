import Sqlite from "better-sqlite3";
import { StorageDamaged } from "../../errors.ts";
import type { StorageLogger } from "../../storage.ts";

/**
 * Whether the file has turned out to be damaged. From then on nothing is written, so that it does not get worse; reads
 * that find what they need go on. It is logged once.
 */
export class Damage {
  /** What is told to those who would write; null: nothing is known of any. */
  found: StorageDamaged | null = null;
  readonly #logger: Pick<StorageLogger, "error">;

  constructor(logger: Pick<StorageLogger, "error">) {
    this.#logger = logger;
  }

  /** The error as its caller is to meet it: a `StorageDamaged`, which is kept, where SQLite says that the file is damaged. */
  explain(error: unknown): unknown {
    if (error instanceof StorageDamaged) return this.note(error.cause);
    return isDamage(error) ? this.note(error) : error;
  }

  /** The file is damaged, `cause` says how. */
  note(cause: unknown): StorageDamaged {
    if (this.found) return this.found;
    this.found = new StorageDamaged(cause);
    this.#logger.error({ err: cause }, `${this.found.message}.`);
    return this.found;
  }
}

/** Tells whether SQLite says that what it reads is no database, or a damaged one. */
export function isDamage(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);
}

/** The storage, each of whose repositories tells of damage that it meets. */
export function watched<Storage extends object>(storage: Storage, damage: Damage): Storage {
  return new Proxy(storage, {
    get: (target, name) => wrap(Reflect.get(target, name), damage),
  });
}

const wrappers = new WeakMap<object, object>();

function wrap(value: unknown, damage: Damage): unknown {
  if (typeof value !== "object" || value === null) return value;
  const known = wrappers.get(value);
  if (known) return known;
  const wrapper = new Proxy(value, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return (...args: unknown[]) => explained(() => Reflect.apply(method, target, args), damage);
    },
  });
  wrappers.set(value, wrapper);
  return wrapper;
}

function explained(ask: () => unknown, damage: Damage): unknown {
  try {
    const answer = ask();
    return answer instanceof Promise ? answer.catch((error) => Promise.reject(damage.explain(error))) : answer;
  } catch (error) {
    throw damage.explain(error);
  }
}
