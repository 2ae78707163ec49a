import { chmodSync, closeSync, openSync } from "node:fs";
import Sqlite from "better-sqlite3";
import type { JsonObject } from "../../lib/session/json/json.ts";

/** Record types of the portal. A `multifield` is one phone or address of a contact, stored in its record. */
export type Kind =
  | ("deal" | "contact" | "company" | "activity" | "comment" | "multifield")
  | ("category" | "status" | "user" | "group" | "binding")
  | ("task" | "task_comment" | "checklist_item");

/** The portal's data: JSON records by type and id, as in its responses. */
export interface Store {
  /** The webhook's secret; null until the store was filled. */
  token(): string | null;
  /** Writes the secret and the first records to a new store, in one transaction. */
  fill(token: string, write: () => void): void;
  get(kind: Kind, id: string | number): JsonObject | null;
  /** All records of a type, in order of ids. */
  all(kind: Kind): JsonObject[];
  /** Writes a record under its `ID`. */
  put(kind: Kind, record: JsonObject & { ID: string }): void;
  remove(kind: Kind, id: string): void;
  /** The next id of a type; ids are never reused. */
  nextId(kind: Kind): string;
  /** Runs in a transaction, which is rolled back on an exception. */
  atOnce<T>(act: () => T): T;
  close(): void;
}

/**
 * Opens the portal's database, created if needed and readable only by its owner, because it contains the webhook's
 * secret. This is the only place outside of `db/` with SQL. The portal is an external program that ships with Obelus in
 * place of Bitrix24, so its data share neither file, schema nor migrations.
 */
export function openStore(file: string): Store {
  closeSync(openSync(file, "a", 0o600));
  chmodSync(file, 0o600);
  const connection = new Sqlite(file);
  connection.pragma("journal_mode = WAL");
  // A committed write survives the end of the process; surviving a power failure is not worth an fsync for demo data.
  connection.pragma("synchronous = NORMAL");
  connection.exec(`
    CREATE TABLE IF NOT EXISTS portal (token TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS records (
      kind TEXT NOT NULL, id INTEGER NOT NULL, record TEXT NOT NULL, PRIMARY KEY (kind, id)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS ids (kind TEXT PRIMARY KEY, last INTEGER NOT NULL) WITHOUT ROWID;
  `);
  return storeOn(connection);
}

function storeOn(connection: Sqlite.Database): Store {
  const token = connection.prepare<[], string>("SELECT token FROM portal").pluck();
  const get = connection
    .prepare<[Kind, number], string>("SELECT record FROM records WHERE kind = ? AND id = ?")
    .pluck();
  const all = connection.prepare<[Kind], string>("SELECT record FROM records WHERE kind = ? ORDER BY id").pluck();
  const put = connection.prepare("INSERT OR REPLACE INTO records (kind, id, record) VALUES (?, ?, ?)");
  const remove = connection.prepare("DELETE FROM records WHERE kind = ? AND id = ?");
  const nextId = connection
    .prepare<[Kind], number>(
      "INSERT INTO ids (kind, last) VALUES (?, 1) ON CONFLICT DO UPDATE SET last = last + 1 RETURNING last",
    )
    .pluck();
  const atOnce = <T>(act: () => T): T => connection.transaction(act)();

  return {
    token: () => token.get() ?? null,
    fill(secret, write) {
      atOnce(() => {
        write();
        connection.exec(`
          INSERT INTO ids (kind, last) SELECT kind, max(id) FROM records GROUP BY kind
          ON CONFLICT DO UPDATE SET last = max(last, excluded.last)
        `);
        connection.prepare("INSERT INTO portal (token) VALUES (?)").run(secret);
      });
    },
    get(kind, id) {
      const record = get.get(kind, Number(id));
      return record === undefined ? null : JSON.parse(record);
    },
    all: (kind) => all.all(kind).map((record) => JSON.parse(record)),
    put: (kind, record) => void put.run(kind, Number(record.ID), JSON.stringify(record)),
    remove: (kind, id) => void remove.run(kind, Number(id)),
    nextId: (kind) => String(nextId.get(kind)),
    atOnce,
    close: () => void connection.close(),
  };
}
