import { randomUUIDv7 } from "node:crypto";
import { z } from "zod";
import { renamesOf } from "../../../lib/session/erasure.ts";
import type { Summary } from "../../../lib/session/session.ts";
import type { Erasure, ErasureStore } from "../../erasures.ts";
import type { Tail } from "../../log/tail.ts";
import type { Transaction } from "../../log/transaction.ts";
import type { NewEvent } from "../../repositories.ts";
import type { SearchIndexer } from "../../search/search-indexer.ts";
import { toIso } from "../../times.ts";
import { eraseAudit } from "../access/audit.ts";
import type { Connection } from "../connection.ts";
import { type HeldTraces, submitUndoing } from "../held-traces.ts";
import type { Checkpointer } from "../log/checkpointer.ts";
import type { Writer } from "../log/writer.ts";
import { needsFileRewrite } from "../projections/pending-rebuilds.ts";
import type { ReaderPool } from "../readers/reader-pool.ts";
import { mergeSearch } from "../search/merge-search.ts";
import { clearLeftovers } from "./clear-leftovers.ts";
import { createEraser } from "./erase-conversation.ts";
import { createStateEraser } from "./erase-states.ts";
import { createWaitingEraser } from "./erase-waiting.ts";

interface Row extends Omit<Erasure, "requested_at" | "finished_at"> {
  scope: string | null;
  requested_at: number;
  finished_at: number | null;
}

const scopeSchema = z.object({
  /** Found, and not erased yet. */
  conversations: z.array(z.string()),
  outside: z.array(z.number()),
  /** Erased, by their former names. */
  done: z.array(z.string()),
  outsideDone: z.array(z.number()),
});
type Scope = z.infer<typeof scopeSchema>;

/** Why open runs and calls were closed, in their events. */
const ERASED_REASON = "Erased";

export interface ErasureParts {
  writing: Connection;
  reading: Connection;
  writer: Writer;
  readers: ReaderPool;
  tail: Tail;
  indexer: SearchIndexer;
  checkpointer: Checkpointer;
  held: HeldTraces;
}

/** Erasures in SQLite, on the writer's connection, in its transactions. */
export function createErasureStore(parts: ErasureParts): ErasureStore {
  const { writing, reading, writer, readers, tail, indexer, checkpointer } = parts;
  const { erasing } = writer;
  const reads = prepareReads(reading);
  const writes = prepareWrites(writing);
  const eraser = createEraser(writing, writer, erasing);
  const states = createStateEraser(writing, writer);
  const waiting = createWaitingEraser(writing, parts.held);
  // What was closed when the process ended stays closed.
  for (const row of reads.unfinished.all()) {
    const { conversations, done } = scopeOf(row);
    erasing.close([...conversations, ...done]);
  }

  async function wanted(id: string): Promise<Row & { target: string }> {
    const row = writes.get.get(id);
    if (!row || row.target === null) throw new Error(`The erasure ${id} is not under way`);
    return { ...row, target: row.target };
  }

  return {
    async add({ id, kind, target, receipt, reason, requested_by }) {
      await writer.submit(({ recordedAt }) => {
        writes.add.run(id, kind, target, reason, receipt, recordedAt, requested_by);
      });
      return toErasure(await wanted(id));
    },
    async get(id) {
      const row = reads.get.get(id);
      return row ? toErasure(row) : null;
    },
    async list(limit) {
      return reads.list.all(limit).map(toErasure);
    },
    async unfinished() {
      return reads.unfinished.all().map(toErasure);
    },
    async find(id) {
      if (reads.isStoring.get() !== undefined) return "later";
      const row = await wanted(id);
      const known = scopeOf(row);
      const found = await readers.call("erasureScope", row.kind, row.target);
      const conversations = without([...known.conversations, ...found.conversations], known.done);
      const outside = without([...known.outside, ...found.outside], known.outsideDone);
      if (conversations.length === 0 && outside.length === 0) return "nothing";
      const scope = JSON.stringify({ ...known, conversations, outside });
      await writer.submit(() => writes.keepScope.run(scope, id));
      return "found";
    },
    async close(id) {
      const { conversations } = scopeOf(await wanted(id));
      return writer.submit((transaction) => {
        // A process that ended has left them closed; open runs and calls are ended by events.
        for (const one of conversations) erasing.open(one);
        const own = conversations.flatMap((one) => ownRunsOf(transaction, one));
        if (own.length > 0) return own;
        for (const one of conversations) endAll(transaction, one);
        erasing.close(conversations);
        return [];
      });
    },
    async erase(id) {
      const row = await wanted(id);
      const scope = scopeOf(row);
      const renames = renamesFor(row);
      await submitUndoing(writer, (_, undo) => waiting.traces(row.target, undo));
      for (const conversation of [...scope.conversations]) {
        const renamed = renames.id(conversation);
        erasing.close([renamed]);
        await writer.submit(() => waiting.conversation(conversation, renamed));
        const { events, states: written } = await eraser.conversation(conversation, renames);
        tail.clear();
        scope.outside.push(...written);
        scope.conversations.shift();
        scope.done.push(conversation);
        await writer.submit(() => {
          writes.count.run(1, events, id);
          writes.keepScope.run(JSON.stringify(scope), id);
        });
      }
      await eraser.outside(scope.outside, renames);
      const deletions = await states.settle(scope.outside, renames);
      const outsideDone = [...scope.outsideDone, ...scope.outside, ...deletions];
      const names = row.kind === "user" ? [row.target, ...scope.done] : scope.done;
      await writer.submit(() => {
        // Audit entries of decisions and runs name their conversation beside their target.
        const conversations = scope.done.map((conversation) => `conversation:${conversation}`);
        eraseAudit(writing, [...writes.auditTargets.all({ names: JSON.stringify(names) }), ...conversations]);
        writes.keepScope.run(JSON.stringify({ ...scope, outside: [], outsideDone }), id);
      });
      tail.clear();
      readers.forget();
    },
    async forget(id) {
      await writer.submit(() => writes.forget.run(id));
    },
    async compact(signal) {
      if (needsFileRewrite(reading))
        throw new Error(
          "Erasures are waiting for the database to be rewritten, which needs free disk space; free space, then restart",
        );
      const forgotten = reads.unfinished.all().filter(({ phase }) => phase === "compacting");
      await indexer.held(() => mergeSearch(writing, writer, signal));
      // The process checkpoints concurrent writes itself.
      await checkpointer.held(() => clearLeftovers(writing.name, writer, signal));
      await writer.submit(({ recordedAt }) => {
        for (const { id } of forgotten) writes.finish.run(recordedAt, id);
      });
      if (reads.unfinished.all().length === 0) erasing.open();
      return forgotten.flatMap(({ id }) => reads.get.get(id) ?? []).map(toErasure);
    },
  };
}

function without<T>(found: readonly T[], gone: readonly T[]): T[] {
  const known = new Set(gone);
  return [...new Set(found)].filter((one) => !known.has(one));
}

function scopeOf({ scope }: Row): Scope {
  return scope === null
    ? { conversations: [], outside: [], done: [], outsideDone: [] }
    : scopeSchema.parse(JSON.parse(scope));
}

/** A Telegram chat is named by its person, like a user. */
function renamesFor({ id, kind, target }: Row & { target: string }) {
  const names = kind === "user" || target.startsWith("telegram:") ? [target] : [];
  return renamesOf(names, `erased-${id.slice(-12)}`);
}

function ownRunsOf(transaction: Transaction, conversationId: string): string[] {
  return openRunsOf(transaction.summary(conversationId)).filter((id) => transaction.isOwnRun(id));
}

function openRunsOf(summary: Summary | null): string[] {
  return Object.keys(summary?.open_runs ?? {});
}

/** Ends everything that external agents left open in it, so that no confirmation for erased content is pending. */
function endAll(transaction: Transaction, conversationId: string): void {
  const summary = transaction.summary(conversationId);
  if (!summary) return;
  const event = (type: string, payload: NewEvent["payload"], run_id: string | null = null): NewEvent => ({
    ...{ id: randomUUIDv7(), conversation_id: conversationId, type, actor: "system", agent_id: null, run_id },
    ...{ parent_run_id: null, caused_by: null, payload, occurred_at: null },
  });
  for (const confirmation_id of summary.awaiting)
    transaction.append(event("confirmation.denied", { confirmation_id, reason: ERASED_REASON }), "server");
  for (const id of openRunsOf(summary))
    transaction.append(event("run.cancelled", { reason: ERASED_REASON }, id), "server");
  if (summary.escalated) transaction.append(event("conversation.handed_back", { reason: ERASED_REASON }), "server");
}

function toErasure({ requested_at, finished_at, scope: _, ...row }: Row): Erasure {
  return { ...row, requested_at: toIso(requested_at), finished_at: finished_at === null ? null : toIso(finished_at) };
}

function prepareReads(connection: Connection) {
  return {
    get: connection.prepare<[string], Row>("SELECT * FROM erasures WHERE id = ?"),
    list: connection.prepare<[number], Row>("SELECT * FROM erasures ORDER BY requested_at DESC, id DESC LIMIT ?"),
    unfinished: connection.prepare<[], Row>(
      "SELECT * FROM erasures WHERE finished_at IS NULL ORDER BY requested_at, id",
    ),
    isStoring: connection.prepare<[], 1>("SELECT 1 FROM unfinished_forks LIMIT 1").pluck(),
  };
}

function prepareWrites(connection: Connection) {
  return {
    get: connection.prepare<[string], Row>("SELECT * FROM erasures WHERE id = ?"),
    add: connection.prepare(
      `INSERT INTO erasures (id, kind, target, reason, receipt, phase, requested_at, requested_by)
       VALUES (?, ?, ?, ?, ?, 'requested', ?, ?)`,
    ),
    keepScope: connection.prepare<[scope: string, id: string]>(
      "UPDATE erasures SET phase = 'erasing', scope = ? WHERE id = ?",
    ),
    count: connection.prepare<[conversations: number, events: number, id: string]>(
      "UPDATE erasures SET conversations = conversations + ?, events = events + ? WHERE id = ?",
    ),
    forget: connection.prepare<[id: string]>(
      "UPDATE erasures SET phase = 'compacting', target = NULL, reason = NULL, scope = NULL WHERE id = ?",
    ),
    finish: connection.prepare<[at: number, id: string]>(
      "UPDATE erasures SET phase = 'finished', finished_at = ? WHERE id = ?",
    ),
    // Not the entries about user accounts, which may have the same name.
    auditTargets: connection
      .prepare<[{ names: string }], string>(
        `SELECT DISTINCT target FROM audit, json_each(:names) AS name WHERE target IS NOT NULL AND target NOT GLOB 'user:*'
           AND target NOT GLOB 'key:*'
           AND instr('/' || replace(target, ':', '/') || '/', '/' || replace(name.value, ':', '/') || '/') > 0`,
      )
      .pluck(),
  };
}
