import { statfsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { REDUCER_VERSION } from "../../lib/session/reducer/snapshot.ts";
import { createAbsenceStore } from "../absences/absence-store.ts";
import { createAlertRuleStore } from "../alert-rules/alert-rule-store.ts";
import { StorageDamaged } from "../errors.ts";
import { Spools } from "../import/spool.ts";
import { createLog } from "../log/log.ts";
import { Tail } from "../log/tail.ts";
import type { Transaction } from "../log/transaction.ts";
import type { StorageMeasures } from "../measures.ts";
import { AS_IT_COMES } from "../payload/stored-payload.ts";
import { SnapshotKeeper } from "../projections/snapshot-keeper.ts";
import { CHUNK_VERSION } from "../projections/timeline-chunk.ts";
import { ALONE } from "../replicas.ts";
import { createRollupStore } from "../rollup/rollup-store.ts";
import { createSearchIndexer } from "../search/search-indexer.ts";
import type { Storage, StorageOptions } from "../storage.ts";
import { createSuiteStore } from "../suites/suite-store.ts";
import { createViewStore } from "../views/view-store.ts";
import { createKeyStore } from "./access/api-keys.ts";
import { createAuditStore } from "./access/audit.ts";
import { createSignInStore } from "./access/sign-ins.ts";
import { createUserStore } from "./access/users.ts";
import { isSmall, structureFaults, structureFaultsElsewhere } from "./check/structure.ts";
import { type Connection, openForReading, openForWriting } from "./connection.ts";
import { Damage, isDamage, watched } from "./data-dir/damage.ts";
import { type DataDirLock, lockDataDir } from "./data-dir/data-dir-lock.ts";
import { fileSystemError } from "./data-dir/file-system-error.ts";
import { keepReserve, releaseReserve } from "./data-dir/reserve.ts";
import { createErasureStore } from "./erasure/erasures.ts";
import { createRetentionStore } from "./erasure/retention.ts";
import { rewriteFileOnce } from "./erasure/rewrite-file.ts";
import { HeldTraces } from "./held-traces.ts";
import { Checkpointer } from "./log/checkpointer.ts";
import { createEvents, headOf } from "./log/events.ts";
import { syncInBackground } from "./log/wal-sync.ts";
import { Writer } from "./log/writer.ts";
import { migrateDatabase } from "./migrate.ts";
import { createNoticeStore } from "./notices.ts";
import { plainDatabase } from "./plain-database.ts";
import { createUsageStore } from "./projections/agent-usage.ts";
import { rebuildPending } from "./projections/rebuild-projections.ts";
import { createAgentStates } from "./queries/agent-states.ts";
import { countOpenAlerts, createAlerts } from "./queries/alerts.ts";
import { createBookmarkStore } from "./queries/bookmarks.ts";
import { createConfirmations, NOT_IMPORTED } from "./queries/confirmations.ts";
import { createConversations } from "./queries/conversations.ts";
import { createMessages } from "./queries/messages.ts";
import { createNotes } from "./queries/notes.ts";
import { createQueue } from "./queries/queue.ts";
import { createRunOwners } from "./queries/run-owners.ts";
import { createRuns } from "./queries/runs.ts";
import { createScores } from "./queries/scores.ts";
import { createSessions } from "./queries/sessions.ts";
import { ReaderPool } from "./readers/reader-pool.ts";
import { createRollupIndexer } from "./rollup/rollup-indexer.ts";
import { countUnsearched } from "./search/unsearched.ts";
import { unpackSpanParts } from "./span-parts.ts";
import { createSpanStore, lastSpan } from "./spans.ts";
import { createTelegramStore } from "./telegram.ts";
import { removeUnfinished } from "./unfinished.ts";

/** The database file in a data directory. */
export const DATABASE_FILE = "obelus.sqlite";

/**
 * Opens the storage of a data directory, which is created if missing, and migrates its database. Throws
 * `DataDirLocked`, `DataRefused`, `NewerDatabase`, `StorageDamaged` or `WrongRuntime`; then nothing is left open.
 */
export async function openStorage({ dataDir, durability, onRebuilding, ...told }: StorageOptions): Promise<Storage> {
  const lock = lockDataDir(dataDir, (sentence) => told.logger.warn({ data_dir: dataDir }, sentence));
  let connection: Connection | null = null;
  try {
    const file = join(dataDir, DATABASE_FILE);
    connection = openForWriting(file, durability);
    migrateDatabase(connection);
    const isLarge = lock.isUnclean && !isSmall(file);
    if (lock.isUnclean && !isLarge) refuseDamaged(connection);
    removeUnfinished(connection);
    unpackSpanParts(connection);
    rebuildPending(connection, onRebuilding);
    rewriteFileOnce(connection, told.logger);
    connection.prepare("DELETE FROM snapshots WHERE reducer_version <> ?").run(REDUCER_VERSION);
    connection.prepare("DELETE FROM timeline_chunks WHERE version <> ?").run(CHUNK_VERSION);
    if (!keepReserve(dataDir))
      told.logger.warn({ data_dir: dataDir }, "The disk is nearly full: no space could be reserved for shutdown");
    return assemble(connection, file, { ...told, durability, spools: new Spools(dataDir), lock, isLarge });
  } catch (error) {
    connection?.close();
    lock.release(!lock.isUnclean);
    throw isDamage(error) ? new StorageDamaged(error) : (fileSystemError(error, dataDir) ?? error);
  }
}

/** Throws `StorageDamaged`. */
function refuseDamaged(connection: Connection): void {
  const faults = structureFaults(connection);
  if (faults.length > 0) throw new StorageDamaged(new Error(faults.join("\n")));
}

interface Parts extends Omit<StorageOptions, "dataDir" | "onRebuilding"> {
  spools: Spools;
  lock: DataDirLock;
  /** It was not closed, and is too large to check before the start. */
  isLarge: boolean;
}

function assemble(connection: Connection, file: string, parts: Parts): Storage {
  const { durability, spools, onCommit, onWrite, redact = AS_IT_COMES, logger, lock, isLarge } = parts;
  const damage = new Damage(logger);
  // A separate connection: on the writer's, readers would see an import before it is complete.
  const reading = openForReading(file);
  const tail = new Tail(headOf(reading));
  const held = new HeldTraces(lastSpan(connection));
  const readers = new ReaderPool(file, logger, damage);
  const committed = (transaction: Transaction, seconds: number) => {
    onWrite?.({ events: transaction.recorded.length, seconds });
    checkpointer.look();
    if (transaction.collects) tail.push(transaction.recorded);
    else tail.clear();
    for (const conversationId of transaction.ripe) snapshots.grow(conversationId);
    if (transaction.annotations.isScored) rollup.look();
    if (!transaction.grew) return;
    indexer.look();
    rollup.look();
    onCommit(transaction.head);
  };
  const sync = durability === "full" ? syncInBackground(connection) : null;
  const writer = new Writer(connection, damage, committed, { redact, sync });
  const checkpointer = new Checkpointer(file, connection, writer, logger);
  const snapshots = new SnapshotKeeper(writer, (...asked) => readers.call("missing", ...asked), logger);
  const indexer = createSearchIndexer(writer, () => readers.call("unsearched"), logger);
  if (countUnsearched(reading) > 0) indexer.look();
  const { indexer: rollup, usePrices } = createRollupIndexer(connection, writer, readers, logger);
  rollup.look();
  const closing = new AbortController();
  let isLookedThrough = !isLarge;
  if (isLarge) {
    structureFaultsElsewhere(file, closing.signal).then(
      (faults) => {
        isLookedThrough = true;
        if (faults.length > 0) damage.note(new Error(faults.join("\n")));
      },
      // The next start checks again.
      (error) => closing.signal.aborted || logger.warn({ err: error }, "The integrity check of the database failed"),
    );
  }
  let closed: Promise<void> | null = null;
  const close = async () => {
    closing.abort(new Error("The storage is closing"));
    snapshots.stop();
    indexer.stop();
    rollup.stop();
    // Both stop accepting work; the checkpointer may still need the writer to finish.
    await Promise.all([checkpointer.close(), writer.close()]);
    await readers.close();
    reading.close();
    sync?.close();
    connection.close();
    lock.release(isLookedThrough && damage.found === null);
  };
  const plain = plainDatabase(connection, reading, writer);
  const storage: Storage = {
    conversations: createConversations(reading, readers, indexer, rollup),
    messages: createMessages(reading),
    events: createEvents(reading, tail, readers),
    agentStates: createAgentStates(reading),
    confirmations: createConfirmations(reading),
    alerts: createAlerts(reading),
    runs: createRuns(reading),
    runOwners: createRunOwners(reading, writer),
    log: createLog(writer, spools, closing.signal, redact),
    sessions: createSessions(readers, snapshots),
    bookmarks: createBookmarkStore(reading, writer),
    scores: createScores(reading, writer, (since) => readers.call("reviewed", since)),
    notes: createNotes(reading, writer),
    queue: createQueue(reading, readers, writer),
    telegram: createTelegramStore(connection, reading, writer, redact),
    spans: createSpanStore({ writing: connection, reading, writer, redact, held, logger }),
    users: createUserStore(connection, reading, writer),
    signIns: createSignInStore(connection, reading, writer),
    keys: createKeyStore(connection, reading, writer),
    notices: createNoticeStore(connection, reading, writer),
    audit: createAuditStore(connection, reading, writer),
    usage: createUsageStore(reading),
    rollup: createRollupStore(
      rollup,
      {
        overview: (...asked) => readers.call("overview", ...asked),
        tools: (...asked) => readers.call("tools", ...asked),
        tool: (...asked) => readers.call("tool", ...asked),
        versions: (...asked) => readers.call("versions", ...asked),
      },
      usePrices,
    ),
    suites: createSuiteStore(plain),
    views: createViewStore(plain),
    absences: createAbsenceStore(plain),
    alertRules: createAlertRuleStore(plain, rollup, (...asked) => readers.call("ruleHours", ...asked)),
    erasures: createErasureStore({
      ...{ writing: connection, reading, writer, readers, tail, indexer, rollup, checkpointer, held },
    }),
    retention: createRetentionStore({ writing: connection, reading, writer, readers, tail }),
    replicas: ALONE,
    placeOf: null,
    measures: createMeasures(reading, file, writer, held),
    damage: () => damage.found,
    makeRoom: () => releaseReserve(dirname(file)),
    close() {
      closed ??= close();
      return closed;
    },
  };
  return watched(storage, damage);
}

/** Counts the storage's gauges; each count is limited to an index of what is open. */
function createMeasures(reading: Connection, file: string, writer: Writer, held: HeldTraces): Storage["measures"] {
  const spans = reading.prepare<[], number>("SELECT count(*) FROM spans").pluck();
  const confirmations = reading.prepare<[], StorageMeasures["confirmations"]>(
    `SELECT count(*) AS waiting, min(requested_at) AS oldest FROM confirmations
       JOIN events ON events.position = confirmations.position WHERE status = 'requested' AND ${NOT_IMPORTED}`,
  );
  const notices = reading.prepare<[], StorageMeasures["notices"]>(
    "SELECT count(*) AS unsent, min(due_at) AS oldest FROM notices WHERE sent_at IS NULL",
  );
  return async () => {
    const page = sizeOf(reading, "page_size");
    const { bavail, bsize } = statfsSync(dirname(file));
    return {
      queued: writer.queued,
      unsearched: countUnsearched(reading),
      spans: (spans.get() ?? 0) + held.count,
      confirmations: confirmations.get() ?? { waiting: 0, oldest: null },
      alerts: countOpenAlerts(reading),
      notices: notices.get() ?? { unsent: 0, oldest: null },
      bytes: page * sizeOf(reading, "page_count"),
      files: {
        free: page * sizeOf(reading, "freelist_count"),
        wal: statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0,
      },
      pool: null,
      disk: bavail * bsize,
    };
  };
}

function sizeOf(connection: Connection, pragma: "page_size" | "page_count" | "freelist_count"): number {
  return Number(connection.pragma(pragma, { simple: true }));
}
