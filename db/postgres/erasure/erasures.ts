import { caseNameOf } from "../../../lib/suites/case-id.ts";
import { endOpen, ownRunsOf } from "../../erasure/end-open.ts";
import { type ErasureRow, progressOf, renamesFor, toErasure, withFound } from "../../erasure/erasure-row.ts";
import type { ErasureStore } from "../../erasures.ts";
import type { RollupIndexer } from "../../rollup/rollup-store.ts";
import { eraseAudit } from "../access/audit.ts";
import type { Database } from "../database.ts";
import { LOCKS } from "../locks.ts";
import type { LogFollower } from "../log/follower.ts";
import { CLOSE } from "../log/transaction-rows.ts";
import type { DirectWriter, PostgresWriter } from "../log/writer.ts";
import type { ReaderThreads } from "../readers/reader-threads.ts";
import type { LeaderElection } from "../replicas/leader-election.ts";
import { eraseConversation, eraseOutside } from "./erase-conversation.ts";
import { settleStates } from "./erase-states.ts";
import { eraseTracesNaming, eraseWaiting } from "./erase-waiting.ts";
import { forgetMarks } from "./marks.ts";

interface ErasureParts {
  database: Database;
  writer: PostgresWriter;
  readers: ReaderThreads;
  follower: LogFollower;
  election: Pick<LeaderElection, "isSurelyLeader">;
  rollup: RollupIndexer;
}

/**
 * Erasures, page by page in transactions that hold the log's lock for some milliseconds. What other replicas must know is in
 * tables: which conversations take no events, and what they have read that is outdated.
 */
export function createErasureStore({
  database,
  writer,
  readers,
  follower,
  election,
  rollup,
}: ErasureParts): ErasureStore {
  const erasing = asLeader(writer, election);
  async function wanted(id: string): Promise<ErasureRow & { target: string }> {
    const [row] = await database.rows<ErasureRow>(GET, [id]);
    if (!row || row.target === null) throw new Error(`The erasure ${id} is not under way`);
    return { ...row, target: row.target };
  }
  const unfinished = () =>
    database.rows<ErasureRow>(`SELECT ${COLUMNS} FROM erasures WHERE finished_at IS NULL ORDER BY requested_at, id`);

  return {
    async add({ id, kind, target, receipt, reason, requested_by }) {
      await writer.submitDirect((queries, { recordedAt }) =>
        queries.run(
          `INSERT INTO erasures (id, kind, target, reason, receipt, phase, requested_at, requested_by)
           VALUES ($1, $2, $3, $4, $5, 'requested', $6, $7)`,
          [id, kind, target, reason, receipt, recordedAt, requested_by],
        ),
      );
      return toErasure(await wanted(id));
    },
    async get(id) {
      const [row] = await database.rows<ErasureRow>(GET, [id]);
      return row ? toErasure(row) : null;
    },
    async list(limit) {
      const rows = await database.rows<ErasureRow>(
        `SELECT ${COLUMNS} FROM erasures ORDER BY requested_at DESC, id DESC LIMIT $1`,
        [limit],
      );
      return rows.map(toErasure);
    },
    async unfinished() {
      return (await unfinished()).map(toErasure);
    },
    async find(id) {
      const storing = await database.rows("SELECT 1 FROM unfinished_forks LIMIT 1");
      if (storing.length > 0) return "later";
      const row = await wanted(id);
      const found = withFound(progressOf(row), await readers.call("erasureScope", row.kind, row.target));
      if (!found) return "nothing";
      await erasing.submitDirect((queries) => queries.run(KEEP_SCOPE, [JSON.stringify(found), id]));
      return "found";
    },
    async close(id) {
      const { conversations } = progressOf(await wanted(id));
      return writer.submitBeside((transaction, rows) => {
        // A process that ended has left them closed; open runs and calls are ended by events.
        rows.open(conversations);
        const own = conversations.flatMap((one) => ownRunsOf(transaction, one));
        if (own.length > 0) return own;
        for (const one of conversations) endOpen(transaction, one);
        rows.close(conversations);
        return [];
      });
    },
    async erase(id) {
      const row = await wanted(id);
      const scope = progressOf(row);
      const renames = renamesFor(row);
      // What is being stored, and was begun before the conversations were closed, is found below.
      await database.transaction(false, (queries) => queries.rows("SELECT pg_advisory_xact_lock($1)", [LOCKS.read]));
      await erasing.submitDirect((queries) => eraseTracesNaming(queries, row.target));
      for (const conversation of [...scope.conversations]) {
        const renamed = renames.id(conversation);
        await erasing.submitDirect(async (queries) => {
          await queries.run(CLOSE, [[renamed], "erasure"]);
          await eraseWaiting(queries, conversation, renamed);
        });
        const { events, states } = await eraseConversation(erasing, database, conversation, renames);
        follower.forget();
        rollup.look();
        scope.outside.push(...states);
        scope.conversations.shift();
        scope.done.push(conversation);
        await erasing.submitDirect(async (queries) => {
          await queries.run(
            "UPDATE erasures SET conversations = conversations + 1, events = events + $1 WHERE id = $2",
            [events, id],
          );
          await queries.run(KEEP_SCOPE, [JSON.stringify(scope), id]);
        });
      }
      await eraseOutside(erasing, scope.outside, renames);
      const deletions = await settleStates(erasing, database, scope.outside, renames);
      const outsideDone = [...scope.outsideDone, ...scope.outside, ...deletions];
      const names = [...(row.kind === "user" ? [row.target] : []), ...scope.done, ...scope.done.map(caseNameOf)];
      await erasing.submitDirect(async (queries) => {
        // Audit entries of decisions and runs name their conversation beside their target.
        const conversations = scope.done.map((conversation) => `conversation:${conversation}`);
        const targets = await queries.rows<{ target: string }>(AUDIT_TARGETS, [names]);
        await eraseAudit(queries, [...targets.map(({ target }) => target), ...conversations]);
        await queries.run(KEEP_SCOPE, [JSON.stringify({ ...scope, outside: [], outsideDone }), id]);
      });
      follower.forget();
    },
    async forget(id) {
      await erasing.submitDirect((queries) =>
        queries.run(
          "UPDATE erasures SET phase = 'compacting', target = NULL, reason = NULL, scope = NULL WHERE id = $1",
          [id],
        ),
      );
    },
    async compact(signal) {
      const forgotten = (await unfinished()).filter(({ phase }) => phase === "compacting").map(({ id }) => id);
      const session = await database.connect(0);
      try {
        for (const table of CLEARED) {
          signal.throwIfAborted();
          await session.run(`VACUUM ${table}`);
        }
      } finally {
        await session.close();
      }
      await erasing.submitDirect(async (queries, { recordedAt }) => {
        await queries.run("UPDATE erasures SET phase = 'finished', finished_at = $1 WHERE id = ANY($2)", [
          ...[recordedAt, forgotten],
        ]);
        await queries.run(OPEN_ALL);
        await forgetMarks(queries);
      });
      follower.forget();
      const rows = await database.rows<ErasureRow>(
        `SELECT ${COLUMNS} FROM erasures WHERE id = ANY($1) ORDER BY requested_at, id`,
        [forgotten],
      );
      return rows.map(toErasure);
    },
  };
}

/** A replica that was frozen must not go on with what another one has finished meanwhile: its names would be stored again. */
function asLeader(writer: PostgresWriter, election: Pick<LeaderElection, "isSurelyLeader">): DirectWriter {
  const check = () => {
    if (!election.isSurelyLeader) throw new Error("Another replica may carry on the erasures");
  };
  return {
    submit: (work) =>
      writer.submit((transaction) => {
        check();
        return work(transaction);
      }),
    submitDirect: (work) =>
      writer.submitDirect((...given) => {
        check();
        return work(...given);
      }),
    submitDirectPart: (work) =>
      writer.submitDirectPart((...given) => {
        check();
        return work(...given);
      }),
  };
}

// Each by its name: a newer version may add some, and a prepared statement must not give other columns than before.
const COLUMNS =
  "id, kind, target, reason, scope, receipt, phase, conversations, events, requested_at, requested_by, finished_at";
const GET = `SELECT ${COLUMNS} FROM erasures WHERE id = $1`;
const KEEP_SCOPE = "UPDATE erasures SET phase = 'erasing', scope = $1 WHERE id = $2";
const OPEN_ALL = `DELETE FROM closed_conversations WHERE closed_for = 'erasure'
  AND NOT EXISTS (SELECT 1 FROM erasures WHERE finished_at IS NULL)`;

/** What had erased content: afterwards its old rows are gone from these tables' pages, which Postgres reuses. */
const CLEARED = [
  ...["events", "messages", "conversations", "confirmations", "alerts", "agent_state", "agent_state_versions"],
  ...[
    "bookmarks",
    "scores",
    "queue",
    "notes",
    "snapshots",
    "timeline_chunks",
    "event_search",
    "notices",
    "telegram_updates",
    "telegram_progress",
  ],
  ...["spans", "run_owners", "erasures", "audit", "erased_conversations", "closed_conversations"],
  ...["suite_cases", "suite_tries"],
];

// Not the entries about user accounts, which may have the same name.
const AUDIT_TARGETS = `SELECT DISTINCT target FROM audit, unnest($1::text[]) AS name
  WHERE target IS NOT NULL AND NOT starts_with(target, 'user:') AND NOT starts_with(target, 'key:')
    AND strpos('/' || replace(target, ':', '/') || '/', '/' || replace(name, ':', '/') || '/') > 0`;
