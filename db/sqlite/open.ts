import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { REDUCER_VERSION } from "../../lib/session/snapshot.ts";
import type { Storage, StorageOptions } from "../storage.ts";
import { createAgentStates } from "./agent-states.ts";
import { createAlerts } from "./alerts.ts";
import { createAuditStore } from "./audit.ts";
import { createConfirmations } from "./confirmations.ts";
import { type Connection, openForReading, openForWriting } from "./connection.ts";
import { createConversations } from "./conversations.ts";
import { lockDataDir } from "./data-dir-lock.ts";
import { createEvents } from "./events.ts";
import { createLog } from "./log.ts";
import { createMessages } from "./messages.ts";
import { migrateDatabase } from "./migrate.ts";
import { ReaderPool } from "./reader-pool.ts";
import { rebuildOwed } from "./rebuild-projections.ts";
import { createRuns } from "./runs.ts";
import { SearchIndexer } from "./search-indexer.ts";
import { createSessions } from "./sessions.ts";
import { SnapshotKeeper } from "./snapshot-keeper.ts";
import { createSpanStore } from "./spans.ts";
import { Spools } from "./spool.ts";
import { Tail } from "./tail.ts";
import { createTelegramStore } from "./telegram.ts";
import { removeUnfinished } from "./unfinished.ts";
import { countUnsearched } from "./unsearched.ts";
import { Writer } from "./writer.ts";

/** The database's file in a data directory. */
export const DATABASE_FILE = "obelus.sqlite";

/**
 * Opens the storage of a data directory, which is made when it is missing, and brings its database up to date. Throws
 * `DataDirLocked`, `NewerDatabase` or `WrongRuntime`; nothing is held then.
 */
export async function openStorage({ dataDir, durability, onCommit, logger }: StorageOptions): Promise<Storage> {
  mkdirSync(dataDir, { recursive: true });
  const lock = lockDataDir(dataDir);
  let connection: Connection | null = null;
  try {
    const file = join(dataDir, DATABASE_FILE);
    connection = openForWriting(file, durability);
    migrateDatabase(connection);
    removeUnfinished(connection);
    rebuildOwed(connection);
    connection.prepare("DELETE FROM snapshots WHERE reducer_version <> ?").run(REDUCER_VERSION);
    return assemble(connection, file, { spools: new Spools(dataDir), onCommit, logger, release: lock.release });
  } catch (error) {
    connection?.close();
    lock.release();
    throw error;
  }
}

interface Parts extends Pick<StorageOptions, "onCommit" | "logger"> {
  spools: Spools;
  release: () => void;
}

function assemble(connection: Connection, file: string, { spools, onCommit, logger, release }: Parts): Storage {
  // Beside the writer's connection: on that one, readers would see an import before its end.
  const reading = openForReading(file);
  const tail = new Tail();
  const readers = new ReaderPool(file, logger);
  const writer = new Writer(connection, (transaction) => {
    if (transaction.collects) tail.push(transaction.recorded);
    else tail.clear();
    for (const conversationId of transaction.ripe) snapshots.look(conversationId);
    if (!transaction.grew) return;
    indexer.look();
    onCommit(transaction.head);
  });
  const snapshots = new SnapshotKeeper(writer, readers, logger);
  const indexer = new SearchIndexer(writer, readers, logger);
  if (countUnsearched(reading) > 0) indexer.look();
  const closing = new AbortController();
  let closed: Promise<void> | null = null;
  const close = async () => {
    closing.abort(new Error("The storage is closing"));
    snapshots.stop();
    indexer.stop();
    await writer.close();
    await readers.close();
    reading.close();
    connection.close();
    release();
  };
  return {
    conversations: createConversations(reading, readers, indexer),
    messages: createMessages(reading),
    events: createEvents(reading, tail, readers),
    agentStates: createAgentStates(reading),
    confirmations: createConfirmations(reading),
    alerts: createAlerts(reading),
    runs: createRuns(reading),
    log: createLog(writer, spools, closing.signal),
    sessions: createSessions(readers, snapshots),
    telegram: createTelegramStore(connection, reading, writer),
    spans: createSpanStore(connection, reading, writer),
    audit: createAuditStore(connection, writer),
    close() {
      closed ??= close();
      return closed;
    },
  };
}
