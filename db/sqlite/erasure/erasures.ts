import { caseNameOf } from "../../../lib/suites/case-id.ts";
import { endOpen, ownRunsOf } from "../../erasure/end-open.ts";
import { type ErasureRow, progressOf, renamesFor, toErasure, withFound } from "../../erasure/erasure-row.ts";
import type { ErasureStore } from "../../erasures.ts";
import type { Tail } from "../../log/tail.ts";
import type { RollupIndexer } from "../../rollup/rollup-store.ts";
import type { SearchIndexer } from "../../search/search-indexer.ts";
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

export interface ErasureParts {
  writing: Connection;
  reading: Connection;
  writer: Writer;
  readers: ReaderPool;
  tail: Tail;
  indexer: SearchIndexer;
  rollup: RollupIndexer;
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
    const { conversations, done } = progressOf(row);
    erasing.close([...conversations, ...done]);
  }

  async function wanted(id: string): Promise<ErasureRow & { target: string }> {
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
      const found = withFound(progressOf(row), await readers.call("erasureScope", row.kind, row.target));
      if (!found) return "nothing";
      await writer.submit(() => writes.keepScope.run(JSON.stringify(found), id));
      return "found";
    },
    async close(id) {
      const { conversations } = progressOf(await wanted(id));
      return writer.submit((transaction) => {
        // A process that ended has left them closed; open runs and calls are ended by events.
        for (const one of conversations) erasing.open(one);
        const own = conversations.flatMap((one) => ownRunsOf(transaction, one));
        if (own.length > 0) return own;
        for (const one of conversations) endOpen(transaction, one);
        erasing.close(conversations);
        return [];
      });
    },
    async erase(id) {
      const row = await wanted(id);
      const scope = progressOf(row);
      const renames = renamesFor(row);
      await submitUndoing(writer, (_, undo) => waiting.traces(row.target, undo));
      for (const conversation of [...scope.conversations]) {
        const renamed = renames.id(conversation);
        erasing.close([renamed]);
        await writer.submit(() => waiting.conversation(conversation, renamed));
        const { events, states: written } = await eraser.conversation(conversation, renames);
        tail.clear();
        parts.rollup.look();
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
      const names = [...(row.kind === "user" ? [row.target] : []), ...scope.done, ...scope.done.map(caseNameOf)];
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

function prepareReads(connection: Connection) {
  return {
    get: connection.prepare<[string], ErasureRow>("SELECT * FROM erasures WHERE id = ?"),
    list: connection.prepare<[number], ErasureRow>(
      "SELECT * FROM erasures ORDER BY requested_at DESC, id DESC LIMIT ?",
    ),
    unfinished: connection.prepare<[], ErasureRow>(
      "SELECT * FROM erasures WHERE finished_at IS NULL ORDER BY requested_at, id",
    ),
    isStoring: connection.prepare<[], 1>("SELECT 1 FROM unfinished_forks LIMIT 1").pluck(),
  };
}

function prepareWrites(connection: Connection) {
  return {
    get: connection.prepare<[string], ErasureRow>("SELECT * FROM erasures WHERE id = ?"),
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
