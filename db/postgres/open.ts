import { randomUUID } from "node:crypto";
import { createAbsenceStore } from "../absences/absence-store.ts";
import { createAlertRuleStore } from "../alert-rules/alert-rule-store.ts";
import { Spools } from "../import/spool.ts";
import { createLog } from "../log/log.ts";
import { LogIndexer } from "../log/log-indexer.ts";
import { Tail } from "../log/tail.ts";
import type { Transaction } from "../log/transaction.ts";
import { AS_IT_COMES } from "../payload/stored-payload.ts";
import { SnapshotKeeper } from "../projections/snapshot-keeper.ts";
import { createRollupStore } from "../rollup/rollup-store.ts";
import { createSearchIndexer } from "../search/search-indexer.ts";
import { lockDataDir } from "../sqlite/data-dir/data-dir-lock.ts";
import type { Storage, StorageOptions } from "../storage.ts";
import { createSuiteStore } from "../suites/suite-store.ts";
import { createViewStore } from "../views/view-store.ts";
import { createKeyStore } from "./access/api-keys.ts";
import { createAuditStore } from "./access/audit.ts";
import { createSignInStore } from "./access/sign-ins.ts";
import { createUserStore } from "./access/users.ts";
import { openDatabase } from "./database.ts";
import { createErasureStore } from "./erasure/erasures.ts";
import { createRetentionStore } from "./erasure/retention.ts";
import { openError } from "./errors.ts";
import { createEvents, headOf } from "./log/events.ts";
import { LogFollower } from "./log/follower.ts";
import { PostgresWriter } from "./log/writer.ts";
import { createMeasures } from "./measures.ts";
import { migrateDatabase, refuseOther } from "./migrate.ts";
import { refuseUnmoved } from "./moved-tables.ts";
import { createNoticeStore } from "./notices.ts";
import { plainDatabase } from "./plain-database.ts";
import { createAgentStates } from "./queries/agent-states.ts";
import { createAlerts } from "./queries/alerts.ts";
import { createBookmarkStore } from "./queries/bookmarks.ts";
import { createConfirmations } from "./queries/confirmations.ts";
import { createConversations } from "./queries/conversations.ts";
import { createMessages } from "./queries/messages.ts";
import { createNotes } from "./queries/notes.ts";
import { createQueue } from "./queries/queue.ts";
import { createRunOwners } from "./queries/run-owners.ts";
import { createRuns } from "./queries/runs.ts";
import { createScores } from "./queries/scores.ts";
import { createSessions } from "./queries/sessions.ts";
import { createUsageStore } from "./queries/usage.ts";
import { ReaderThreads } from "./readers/reader-threads.ts";
import { Channel } from "./replicas/channel.ts";
import { LeaderElection } from "./replicas/leader-election.ts";
import { createLogPlace } from "./replicas/log-place.ts";
import { createReplicas } from "./replicas/replicas.ts";
import { saveRollupBatch, useRollupPrices } from "./rollup/rollup-writes.ts";
import { refuseOtherSecret } from "./secret.ts";
import { createSpanStore } from "./spans.ts";
import { createTelegramStore } from "./telegram.ts";
import { removeUnfinished } from "./unfinished.ts";

/** How often it looks for what replicas left that have ended, ms. */
const LOOK_MS = 2_000;

/** Where the database is, and what a replica keeps on its own disk meanwhile. */
export interface PostgresOptions extends Omit<StorageOptions, "onRebuilding"> {
  /** `postgres://…` */
  url: string;
  /** Connections for reads at most. */
  connections?: number;
  /** The key that encrypts and signs, which all replicas have to share; null if nothing is done with it. */
  secret?: Uint8Array | null;
  /** It is opened by the move that fills it. */
  isMoving?: boolean;
}

/**
 * Opens the storage in a Postgres database, and brings its tables up to date. Each replica has a data directory of its own.
 * Throws `NewerDatabase`, `DataDirLocked`, or `DataRefused` if the database cannot be used.
 */
export async function openPostgres({
  url,
  connections,
  secret = null,
  isMoving = false,
  dataDir,
  durability,
  onCommit,
  onWrite,
  logger,
  redact = AS_IT_COMES,
}: PostgresOptions): Promise<Storage> {
  const lock = lockDataDir(dataDir, (sentence) => logger.warn({ data_dir: dataDir }, sentence));
  const onError = (error: Error) => logger.warn({ err: error }, "A connection to Postgres was lost");
  const database = openDatabase(url, onError, connections);
  const committed = (transaction: Transaction, seconds: number) => {
    onWrite?.({ events: transaction.recorded.length, seconds });
    const isNews = follower.take(transaction);
    for (const conversationId of transaction.ripe) snapshots.grow(conversationId);
    if (transaction.grew || transaction.annotations.isScored) index();
    if (isNews) onCommit(transaction.head);
  };
  const writer = new PostgresWriter(database, durability, redact, committed);
  let head: number;
  try {
    await refuseOther(database);
    if (!isMoving) await refuseUnmoved(database);
    await migrateDatabase(database);
    if (secret) await refuseOtherSecret(database, secret);
    await writer.connect();
    await removeUnfinished(database, writer);
    head = await headOf(database);
  } catch (error) {
    await writer.close();
    await database.close();
    lock.release(true);
    throw openError(error, url) ?? error;
  }
  const looking = setInterval(() => {
    removeUnfinished(database, writer).catch((error) =>
      logger.warn({ err: error }, "What a replica left that has ended could not be removed"),
    );
  }, LOOK_MS);
  looking.unref();
  const tail = new Tail(head);
  const channel = new Channel(database, randomUUID(), logger);
  const election = new LeaderElection(database, logger);
  const follower = new LogFollower(database, channel, tail, head, {
    told(position) {
      index();
      onCommit(position);
    },
    logger,
  });
  const readers = new ReaderThreads(url, logger);
  const snapshots = new SnapshotKeeper(writer, (...asked) => readers.call("missing", ...asked), logger);
  const indexer = createSearchIndexer(writer, () => readers.call("unsearched"), logger);
  const rollup = new LogIndexer(
    {
      failed: "The rollup could not be continued",
      epoch: () => writer.epoch(),
      read: () => readers.call("rollupBatch"),
      save: (batch, epoch) => database.transaction(false, (queries) => saveRollupBatch(queries, batch, epoch)),
    },
    logger,
  );
  const look = () => {
    indexer.look();
    rollup.look();
  };
  // One replica does it for all.
  const index = () => {
    if (election.isLeader) look();
  };
  await election.run({ start: async () => look(), stop: async () => undefined });
  const closing = new AbortController();
  let closed: Promise<void> | null = null;
  const close = async () => {
    closing.abort(new Error("The storage is closing"));
    clearInterval(looking);
    indexer.stop();
    rollup.stop();
    snapshots.stop();
    await Promise.all([writer.close(), follower.stop(), election.end()]);
    await Promise.all([channel.stop(), readers.close()]);
    await database.close();
    lock.release(true);
  };
  const plain = plainDatabase(database, writer);
  return {
    conversations: createConversations(database, indexer, rollup),
    messages: createMessages(database),
    events: createEvents(database, tail),
    agentStates: createAgentStates(database),
    confirmations: createConfirmations(database),
    alerts: createAlerts(database),
    runs: createRuns(database),
    runOwners: createRunOwners(database, writer),
    log: createLog(writer, new Spools(dataDir), closing.signal, redact),
    sessions: createSessions(readers, snapshots),
    bookmarks: createBookmarkStore(database, writer),
    scores: createScores(database, writer),
    notes: createNotes(database, writer),
    queue: createQueue(database, writer),
    usage: createUsageStore(database),
    rollup: createRollupStore(
      rollup,
      {
        overview: (...asked) => readers.call("overview", ...asked),
        tools: (...asked) => readers.call("tools", ...asked),
        tool: (...asked) => readers.call("tool", ...asked),
        versions: (...asked) => readers.call("versions", ...asked),
      },
      (prices) => database.transaction(true, (queries) => useRollupPrices(queries, prices)),
    ),
    telegram: createTelegramStore(database, writer, redact),
    users: createUserStore(database, writer),
    signIns: createSignInStore(database, writer),
    keys: createKeyStore(database, writer),
    notices: createNoticeStore(database, writer),
    audit: createAuditStore(database, writer),
    spans: createSpanStore({ database, writer, durability, redact, logger }),
    suites: createSuiteStore(plain),
    views: createViewStore(plain),
    absences: createAbsenceStore(plain),
    alertRules: createAlertRuleStore(plain, rollup, (...asked) => readers.call("ruleHours", ...asked)),
    erasures: createErasureStore({ database, writer, readers, follower, election, rollup }),
    retention: createRetentionStore(database, writer, follower),
    measures: createMeasures(database, dataDir, writer),
    // Postgres looks after its own files.
    damage: () => null,
    makeRoom: () => undefined,
    placeOf: (follower) => createLogPlace(database, follower),
    replicas: createReplicas(database, { channel, election, follower }),
    close() {
      closed ??= close();
      return closed;
    },
  };
}
