import type { Redact } from "../payload/stored-payload.ts";
import {
  appendTold,
  firstSpans,
  idsFrom,
  type PlacedSpan,
  redactSpan,
  type ToldRow,
  toTold,
} from "../payload/stored-spans.ts";
import type { SpanStore, WaitingSpan, WaitingTrace } from "../spans.ts";
import type { StorageLogger } from "../storage.ts";
import type { Connection } from "./connection.ts";
import { isTogether, positionsOf, prepareInserts, prepareIsTold, seenPositionsOf } from "./events-by-id.ts";
import { type HeldTraces, submitUndoing, type Undo } from "./held-traces.ts";
import type { Writer } from "./log/writer.ts";
import { prepareSpanParts } from "./span-parts.ts";

interface SpanStoreParts {
  writing: Connection;
  reading: Connection;
  writer: Writer;
  redact: Redact;
  held: HeldTraces;
  logger: StorageLogger;
}

/** Spans that wait to be told; written on the writer's connection, in its transactions. */
export function createSpanStore({ writing, reading, writer, redact, held, logger }: SpanStoreParts): SpanStore {
  const writes = prepareSpanWrites(writing);
  const reads = prepareSpanReads(reading);

  return {
    async keep(spans) {
      const redacted = spans.map((span) => redactSpan(span, redact));
      return submitUndoing(writer, ({ recordedAt }, undo) => keep({ writes, held, undo }, redacted, recordedAt));
    },
    async waiting() {
      return [...reads.waiting.all(), ...held.waiting()];
    },
    // What an earlier process left is continued at the start.
    abandoned: async () => [],
    async isWhole(traceId) {
      const spans = held.spansOf(traceId);
      return spans === null ? reads.missing.get(traceId) === undefined : haveParents(spans);
    },
    async news(traceId, payloadsOf, most) {
      const known = held.spansOf(traceId);
      const waiting = known ?? storedSpans(reads, traceId, most.spans);
      const told = known
        ? []
        : reads.told.all({ ...idsFrom(`otlp:${traceId}:`), payloads: JSON.stringify(payloadsOf) });
      return { ...firstSpans(waiting, most), told: told.map(toTold) };
    },
    async saidBefore(conversationId, traceId, limit) {
      if (reads.isConversation.get(conversationId) === undefined) return null;
      return reads.said.all({ conversationId, traceId, limit }).reverse();
    },
    tell: (traceId, upTo, events, isLast) =>
      submitUndoing(writer, (transaction, undo) => {
        const isAtOnce = isLast && isTogether(traceId, events) && !writes.isThere(`otlp:${traceId}:`);
        const together = isAtOnce ? writes.inserts.together(events.length) : null;
        appendTold(transaction, events, logger, together ?? writes.inserts.one);
        together?.end();
        const isHeld = held.has(traceId);
        if (isHeld) letGo({ writes, held, undo }, traceId, isLast ? upTo : 0);
        else if (isLast) writes.forget.run(traceId, upTo);
        if (!isLast && writes.isFresh.get(upTo) !== undefined) {
          // Looking through all of them with each part would cost more than the events of a large trace.
          writes.take.run(traceId, upTo);
        }
        return writes.waits.get(traceId) !== undefined;
      }),
  };
}

interface Keeping {
  writes: SpanWrites;
  held: HeldTraces;
  undo: Undo;
}

/** Keeps spans: those of traces that are held in one row, the others in one each. Gives the traces of the new ones. */
function keep(keeping: Keeping, spans: readonly WaitingSpan[], receivedAt: number): string[] {
  const { writes, held, undo } = keeping;
  const news = new Set<string>();
  const together = new Map<string, WaitingSpan>();
  const known = new Map<string, boolean>();
  for (const span of spans) {
    const { trace_id, span_id, parent_span_id, content } = span;
    const isHeld = known.get(trace_id) ?? canHold(keeping, trace_id);
    known.set(trace_id, isHeld);
    if (isHeld) {
      const key = `${trace_id}:${span_id}`;
      if (held.hasSpan(span) || together.has(key)) continue;
      together.set(key, span);
    } else {
      if (writes.isTold(`otlp:${trace_id}:${span_id}:`)) continue;
      const { changes } = writes.keep.run(held.nextPlace(), trace_id, span_id, parent_span_id, receivedAt, content);
      if (changes === 0) continue;
    }
    news.add(trace_id);
  }
  if (together.size > 0) {
    const added = held.add([...together.values()], receivedAt);
    undo.push(added.undo);
    writes.parts.insert(added.part);
  }
  return [...news];
}

/** Whether more of a trace is held; one that is held and has no room any more is moved to the table. */
function canHold(keeping: Keeping, traceId: string): boolean {
  const { writes, held } = keeping;
  if (!held.has(traceId)) return held.hasRoom(traceId) && isNew(writes, traceId);
  if (held.hasRoom(traceId)) return true;
  letGo(keeping, traceId, 0);
  return false;
}

/** Moves what a held trace has after a place to the table; the rest is told. */
function letGo({ writes, held, undo }: Keeping, traceId: string, upTo: number): void {
  const gone = held.letGo(traceId);
  undo.push(gone.undo);
  for (const { place, span, receivedAt } of gone.spans) {
    if (place <= upTo) continue;
    const { span_id, parent_span_id, content } = span;
    writes.keep.run(place, traceId, span_id, parent_span_id, receivedAt, content);
  }
  for (const part of gone.parts) if (part.waiting.size === 0) writes.parts.rewrite(part);
}

/** Nothing of the trace waits, and no event of it is recorded. */
function isNew(writes: SpanWrites, traceId: string): boolean {
  return writes.waits.get(traceId) === undefined && !writes.isTold(`otlp:${traceId}:`);
}

/** The largest place in the table; 0 where nothing waits in it. */
export function lastSpan(connection: Connection): number {
  return connection.prepare<[], number>("SELECT coalesce(max(rowid), 0) FROM spans").pluck().get() ?? 0;
}

function haveParents(spans: readonly PlacedSpan[]): boolean {
  const ids = new Set(spans.map(({ span }) => span.span_id));
  return spans.every(({ span }) => span.parent_span_id === null || ids.has(span.parent_span_id));
}

/** A trace's waiting spans, read one by one. */
function* storedSpans(reads: SpanReads, traceId: string, limit: number): Generator<PlacedSpan> {
  for (const place of reads.places.all(traceId, traceId, limit)) {
    const span = reads.at.get(place);
    if (!span) return;
    yield { place, span };
  }
}

function prepareSpanWrites(connection: Connection) {
  return {
    parts: prepareSpanParts(connection),
    inserts: prepareInserts(connection),
    isTold: prepareIsTold(connection),
    /** Also of events that nobody sees yet. */
    isThere: prepareIsTold(connection, positionsOf),
    keep: connection.prepare<
      [
        place: number,
        trace_id: string,
        span_id: string,
        parent_span_id: string | null,
        received_at: number,
        content: string,
      ]
    >(
      `INSERT INTO spans (rowid, trace_id, span_id, parent_span_id, received_at, content) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (trace_id, span_id) DO NOTHING`,
    ),
    isFresh: connection.prepare<[place: number], 1>("SELECT 1 FROM spans WHERE rowid = ? AND taken = 0").pluck(),
    // While the last of them is there, those that come later have larger numbers.
    take: connection.prepare<[trace_id: string, up_to: number]>(
      "UPDATE spans SET taken = 1 WHERE trace_id = ? AND rowid <= ? AND taken = 0",
    ),
    waits: connection.prepare<[string], 1>("SELECT 1 FROM spans WHERE trace_id = ? LIMIT 1").pluck(),
    forget: connection.prepare<[trace_id: string, up_to: number]>(
      "DELETE FROM spans WHERE trace_id = ? AND rowid <= ?",
    ),
  };
}

type SpanWrites = ReturnType<typeof prepareSpanWrites>;

function prepareSpanReads(connection: Connection) {
  const parent = "'otlp:' || span.trace_id || ':' || span.parent_span_id";
  return {
    waiting: connection.prepare<[], WaitingTrace>(
      "SELECT trace_id, min(received_at) AS since, max(received_at) AS newest FROM spans GROUP BY trace_id",
    ),
    missing: connection
      .prepare<[string], 1>(
        `SELECT 1 FROM spans AS span WHERE span.trace_id = ? AND span.parent_span_id IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM spans AS parent
             WHERE parent.trace_id = span.trace_id AND parent.span_id = span.parent_span_id)
           AND NOT EXISTS (${seenPositionsOf((id) => `${id} >= ${parent} || ':' AND ${id} < ${parent} || ';'`, parent)})
         LIMIT 1`,
      )
      .pluck(),
    places: connection
      .prepare<[string, string, limit: number], number>(
        `SELECT rowid FROM spans
         WHERE trace_id = ? AND taken = (SELECT max(taken) FROM spans WHERE trace_id = ?) ORDER BY rowid LIMIT ?`,
      )
      .pluck(),
    at: connection.prepare<[place: number], WaitingSpan>(
      "SELECT trace_id, span_id, parent_span_id, content FROM spans WHERE rowid = ?",
    ),
    // Those of spans that wait were written by a process that ended before it had told them all: they are told again.
    told: connection.prepare<[{ from: string; to: string; payloads: string }], ToldRow>(
      `SELECT id, type, conversation_id, run_id, call_id, iteration,
         CASE WHEN type IN (SELECT value FROM json_each(:payloads)) THEN payload END AS payload
       FROM events WHERE position IN (${seenPositionsOf((id) => `${id} >= :from AND ${id} < :to`, ":from")})
         AND conversation_id IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM spans WHERE trace_id = substr(events.id, 6, 32) AND span_id = substr(events.id, 39, 16))
       ORDER BY position`,
    ),
    isConversation: connection.prepare<[string], 1>("SELECT 1 FROM conversations WHERE id = ?").pluck(),
    said: connection.prepare<
      [{ conversationId: string; traceId: string; limit: number }],
      { role: string; content: string }
    >(
      `SELECT role, content FROM messages WHERE conversation_id = :conversationId AND role IN ('user', 'assistant')
         AND NOT (id LIKE 'otlp:' || :traceId || ':%' AND EXISTS (SELECT 1 FROM spans
           WHERE trace_id = :traceId AND span_id = substr(messages.id, 39, 16)))
       ORDER BY seq DESC LIMIT :limit`,
    ),
  };
}

type SpanReads = ReturnType<typeof prepareSpanReads>;
