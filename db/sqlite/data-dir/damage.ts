import Sqlite from "better-sqlite3";
import { StorageDamaged } from "../../errors.ts";
import type { StorageLogger } from "../../storage.ts";

/**
 * Whether the file is damaged. If so, writes are refused so that it does not get worse; reads of undamaged pages go on.
 * It is logged once.
 */
export class Damage {
  /** Thrown for writes; null if no damage is known. */
  found: StorageDamaged | null = null;
  readonly #logger: Pick<StorageLogger, "error">;

  constructor(logger: Pick<StorageLogger, "error">) {
    this.#logger = logger;
  }

  /** Converts SQLite's errors about damage to `StorageDamaged`, which is kept; returns other errors as they are. */
  explain(error: unknown): unknown {
    if (error instanceof StorageDamaged) return this.note(error.cause);
    return isDamage(error) ? this.note(error) : error;
  }

  /** Records damage; `cause` is SQLite's error. */
  note(cause: unknown): StorageDamaged {
    if (this.found) return this.found;
    this.found = new StorageDamaged(cause);
    this.#logger.error({ err: cause }, `${this.found.message}.`);
    return this.found;
  }
}

/** Whether SQLite reports that the file is damaged or is no database. */
export function isDamage(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);
}

/** The storage with repositories that report damage they find. */
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
