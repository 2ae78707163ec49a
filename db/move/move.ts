import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DataRefused } from "../errors.ts";
import { openDatabase, type Session } from "../postgres/database.ts";
import { openError } from "../postgres/errors.ts";
import { LOCKS } from "../postgres/locks.ts";
import { migrateDatabase as migratePostgres, refuseOther } from "../postgres/migrate.ts";
import {
  continueNumbers,
  markMoved as markMovedPostgres,
  postgresSide,
  postgresTarget,
} from "../postgres/moved-tables.ts";
import { openPostgres } from "../postgres/open.ts";
import { keepSecret } from "../postgres/secret.ts";
import { type Connection, openForWriting } from "../sqlite/connection.ts";
import { KEY_FILE } from "../sqlite/data-dir/backup.ts";
import { lockDataDir } from "../sqlite/data-dir/data-dir-lock.ts";
import { makeFolder, syncToDisk } from "../sqlite/data-dir/folders.ts";
import { markMoved } from "../sqlite/data-dir/moved.ts";
import { isOlder, migrateDatabase as migrateSqlite, refuseNewer } from "../sqlite/migrate.ts";
import { sqliteSide, sqliteTarget } from "../sqlite/moved-tables.ts";
import { DATABASE_FILE, openStorage } from "../sqlite/open.ts";
import { needsFileRewrite, pendingRebuilds } from "../sqlite/projections/pending-rebuilds.ts";
import { unpackSpanParts } from "../sqlite/span-parts.ts";
import { removeUnfinished } from "../sqlite/unfinished.ts";
import type { Storage, StorageLogger } from "../storage.ts";
import { compareViews, copyDatabase, type Moved, type OnMoving } from "./copy.ts";
import { MOVED } from "./tables.ts";

/** The two ends of a move, which no server uses meanwhile. */
export interface MoveOptions {
  dataDir: string;
  /** `postgres://…` */
  url: string;
  logger: StorageLogger;
  onProgress: OnMoving;
}

/** A database in SQLite that is not complete yet, in a data directory of its own below the one that it will be in. */
const DRAFT = "moving";

const NOT_LOCKED = () => undefined;

/**
 * Copies the database of a data directory into an empty Postgres database; a move that was interrupted goes on. The data
 * directory keeps its database, and is marked, so that no server starts on it. Throws `DataRefused`, `DataDirLocked`, `NewerDatabase`.
 */
export async function moveToPostgres({ dataDir, url, logger, onProgress }: MoveOptions): Promise<Moved> {
  const file = join(dataDir, DATABASE_FILE);
  if (!existsSync(file))
    throw new DataRefused(`There is no database in ${dataDir}; set OBELUS_DATA_DIR to the directory that contains it`);
  const lock = lockDataDir(dataDir, NOT_LOCKED);
  let source: Connection | null = null;
  try {
    source = openSource(file);
    const side = sqliteSide(source);
    await withPostgres(url, async (session) => {
      const target = postgresTarget(session);
      await copyDatabase(side, target, onProgress);
      await continueNumbers(session, MOVED);
      await session.run("ANALYZE");
    });
  } finally {
    source?.close();
    lock.release(true);
  }
  const [from, to] = [() => openSqlite(dataDir, logger), () => openMoved(url, logger)];
  const moved = await withBoth(from, to, (left, right) => compareViews(left, right, onProgress));
  const key = join(dataDir, KEY_FILE);
  await withPostgres(url, async (session) => {
    // Replicas with another one could not decrypt what was moved.
    if (existsSync(key)) await keepSecret(session, Buffer.from(readFileSync(key, "utf8").trim(), "hex"));
    // Before the target is complete: of both, never may servers carry on the same runs.
    markMoved(dataDir);
    await postgresTarget(session).setSource(null);
  });
  return moved;
}

/**
 * Copies a Postgres database into a data directory without one; a move that was interrupted goes on. The Postgres database
 * keeps its rows, and is marked likewise. Throws `DataRefused`, `DataDirLocked`, `NewerDatabase`.
 */
export async function moveToDirectory({ dataDir, url, logger, onProgress }: MoveOptions): Promise<Moved> {
  if (existsSync(join(dataDir, DATABASE_FILE)))
    throw new DataRefused(`${dataDir} has a database; name another directory`);
  const draft = join(dataDir, DRAFT);
  makeFolder(dataDir);
  const lock = lockDataDir(draft, NOT_LOCKED);
  let target: Connection | null = null;
  try {
    target = openForWriting(join(draft, DATABASE_FILE), "normal");
    migrateSqlite(target);
    const side = sqliteTarget(target);
    await withPostgres(url, (session) => copyDatabase(postgresSide(session), side, onProgress));
  } finally {
    target?.close();
    lock.release(true);
  }
  const [from, to] = [() => openMoved(url, logger), () => openSqlite(draft, logger)];
  const moved = await withBoth(from, to, (left, right) => compareViews(left, right, onProgress));
  const complete = openForWriting(join(draft, DATABASE_FILE), "full");
  await sqliteTarget(complete).setSource(null);
  complete.close();
  await withPostgres(url, markMovedPostgres);
  renameSync(join(draft, DATABASE_FILE), join(dataDir, DATABASE_FILE));
  syncToDisk(dataDir);
  rmSync(draft, { recursive: true });
  return moved;
}

/** What the last process left unfinished is removed, as at any start. */
function openSource(file: string): Connection {
  const connection = openForWriting(file, "full");
  try {
    refuseNewer(connection);
    if (isOlder(connection) || pendingRebuilds(connection).length > 0 || needsFileRewrite(connection))
      throw new DataRefused(`${file} was made by an older version; start Obelus once with it, then move it`);
    removeUnfinished(connection);
    unpackSpanParts(connection);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Nobody else uses the database meanwhile. */
async function withPostgres<T>(url: string, work: (session: Session) => Promise<T>): Promise<T> {
  const database = openDatabase(url, () => undefined);
  let session: Session | null = null;
  try {
    await refuseOther(database);
    session = await database.connect(0);
    const [others] = await session.rows<{ count: number }>(OTHERS);
    if (others && others.count > 0)
      throw new DataRefused("A server runs on the Postgres database; stop all replicas, and run it again");
    await session.rows("SELECT pg_advisory_lock($1)", [LOCKS.log]);
    await migratePostgres(database);
    return await work(session);
  } catch (error) {
    throw openError(error, url) ?? error;
  } finally {
    await session?.close();
    await database.close();
  }
}

/** Every replica holds a lock as long as it lives. */
const OTHERS = `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid <> pg_backend_pid()
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

async function withBoth<T>(
  openFirst: () => Promise<Storage>,
  openSecond: () => Promise<Storage>,
  work: (first: Storage, second: Storage) => Promise<T>,
): Promise<T> {
  const first = await openFirst();
  try {
    const second = await openSecond();
    try {
      return await work(first, second);
    } finally {
      await second.close();
    }
  } finally {
    await first.close();
  }
}

function openSqlite(dataDir: string, logger: StorageLogger): Promise<Storage> {
  return openStorage({ dataDir, durability: "normal", onCommit: () => undefined, logger });
}

async function openMoved(url: string, logger: StorageLogger): Promise<Storage> {
  const dataDir = mkdtempSync(join(tmpdir(), "obelus-move-"));
  const storage = await openPostgres({
    ...{ url, dataDir, durability: "normal", isMoving: true, onCommit: () => undefined, logger },
  });
  return {
    ...storage,
    async close() {
      await storage.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}
