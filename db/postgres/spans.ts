import { IS_SEEN } from "../log/unfinished.ts";
import type { Redact } from "../payload/stored-payload.ts";
import { appendTold, idsFrom, type PlacedSpan, redactSpan, type ToldRow, toTold } from "../payload/stored-spans.ts";
import type { MostNews, SpanStore, WaitingSpan, WaitingTrace } from "../spans.ts";
import type { StorageLogger } from "../storage.ts";
import type { Database, Queries } from "./database.ts";
import type { PostgresWriter } from "./log/writer.ts";

/** A trace that a living replica has claimed so long ago is mapped by another one: that replica may be frozen, ms. */
const LONGEST_CLAIM_MS = 60_000;

/** Epoch ms by the clock of Postgres: those of replicas may differ. */
const NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

interface SpanRow extends WaitingSpan {
  place: number;
}

/** What this replica has read of a trace that it maps. */
interface Mapping {
  places: number[];
  /** They are marked in the table: a part of their events is in the log. */
  isMarked: boolean;
}

interface SpanStoreParts {
  database: Database;
  writer: PostgresWriter;
  durability: "full" | "normal";
  redact: Redact;
  logger: StorageLogger;
}

/**
 * Spans that wait to be told. Spans of one trace may come to several replicas. Each of them maps the trace when it is due, and
 * the one that claims it first does: the others find nothing.
 */
export function createSpanStore({ database, writer, durability, redact, logger }: SpanStoreParts): SpanStore {
  const mappings = new Map<string, Mapping>();
  const waits = async (traceId: string) =>
    (await database.rows("SELECT 1 FROM spans WHERE trace_id = $1 LIMIT 1", [traceId])).length > 0;

  return {
    async keep(spans) {
      const redacted = spans.map((span) => redactSpan(span, redact));
      return database.transaction(durability === "full", (queries) => keep(queries, redacted));
    },
    waiting: () => database.rows<WaitingTrace>(WAITING),
    abandoned: (ms) =>
      database.rows<WaitingTrace>(
        `SELECT * FROM (${WAITING}) AS waiting WHERE newest < ${NOW} - $1::bigint AND NOT EXISTS (
           SELECT 1 FROM span_claims WHERE span_claims.trace_id = waiting.trace_id AND claimed_at > ${NOW} - $1::bigint)`,
        [ms],
      ),
    isWhole: async (traceId) => (await database.rows(MISSING, [traceId])).length === 0,
    async news(traceId, payloadsOf, most) {
      const isClaimed = await claim(database, traceId, writer.owner);
      const waiting = isClaimed ? await readSpans(database, traceId, most) : [];
      mappings.set(traceId, { places: waiting.map(({ place }) => place), isMarked: false });
      const { from, to } = idsFrom(`otlp:${traceId}:`);
      const told = isClaimed ? await database.rows<ToldRow>(TOLD, [from, to, payloadsOf]) : [];
      return {
        spans: waiting.map(({ span }) => span),
        upTo: waiting.at(-1)?.place ?? 0,
        told: told.map(toTold),
      };
    },
    async saidBefore(conversationId, traceId, limit) {
      const found = await database.rows("SELECT 1 FROM conversations WHERE id = $1", [conversationId]);
      if (found.length === 0) return null;
      const said = await database.rows<{ role: string; content: string }>(SAID, [conversationId, traceId, limit]);
      return said.reverse().map(({ role, content }) => ({ role, content: JSON.parse(content) }));
    },
    async tell(traceId, upTo, events, isLast) {
      const mapping = mappings.get(traceId);
      const places = mapping?.places.filter((place) => place <= upTo) ?? [];
      await writer.submitBeside((transaction, rows) => {
        if (!rows.mapsTrace(traceId)) return;
        appendTold(transaction, events, logger);
        if (isLast) {
          rows.run("DELETE FROM spans WHERE trace_id = $1 AND place = ANY($2)", [traceId, places]);
          rows.run("DELETE FROM span_claims WHERE trace_id = $1", [traceId]);
          return;
        }
        rows.run(`UPDATE span_claims SET claimed_at = ${NOW} WHERE trace_id = $1`, [traceId]);
        if (!mapping?.isMarked)
          rows.run("UPDATE spans SET taken = 1 WHERE trace_id = $1 AND place = ANY($2)", [traceId, places]);
      });
      if (isLast) mappings.delete(traceId);
      else if (mapping) mapping.isMarked = true;
      return waits(traceId);
    },
  };
}

/**
 * Inserts the new ones. In the order of their keys: two requests with the same spans would wait for each other. A span whose
 * events were appended while this waited for the row to be deleted is known by them.
 */
async function keep(queries: Queries, spans: readonly WaitingSpan[]): Promise<string[]> {
  const column = (name: "trace_id" | "span_id" | "parent_span_id" | "content") => spans.map((span) => span[name]);
  const kept = await queries.rows<{ place: number }>(
    `WITH numbered AS (
       SELECT nextval(pg_get_serial_sequence('spans', 'place')) AS place, span.*
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS span (trace_id, span_id, parent_span_id, content)
     )
     INSERT INTO spans (place, trace_id, span_id, parent_span_id, content, received_at) OVERRIDING SYSTEM VALUE
     SELECT place, trace_id, span_id, parent_span_id, content, ${NOW} FROM numbered ORDER BY trace_id, span_id, place
     ON CONFLICT (trace_id, span_id) DO NOTHING RETURNING place`,
    [column("trace_id"), column("span_id"), column("parent_span_id"), column("content")],
  );
  const places = kept.map(({ place }) => place);
  await queries.run(
    `DELETE FROM spans WHERE place = ANY($1) AND EXISTS (SELECT 1 FROM events
       WHERE id >= 'otlp:' || trace_id || ':' || span_id || ':' AND id < 'otlp:' || trace_id || ':' || span_id || ';'
         AND ${IS_SEEN})`,
    [places],
  );
  const traces = await queries.rows<{ trace_id: string }>(
    "SELECT trace_id FROM spans WHERE place = ANY($1) GROUP BY trace_id ORDER BY min(place)",
    [places],
  );
  return traces.map(({ trace_id }) => trace_id);
}

/** Claims a trace unless a living replica has done it. A claim that is lost with the server's memory does no harm. */
async function claim(queries: Queries, traceId: string, owner: number): Promise<boolean> {
  const claimed = await queries.run(
    `WITH unsynced AS (SELECT set_config('synchronous_commit', 'off', true))
     INSERT INTO span_claims (trace_id, owner, claimed_at) SELECT $1, $2::bigint, ${NOW} FROM unsynced
     ON CONFLICT (trace_id) DO UPDATE SET owner = excluded.owner, claimed_at = excluded.claimed_at
       WHERE span_claims.owner = excluded.owner OR span_claims.claimed_at < excluded.claimed_at - $3::bigint
         OR pg_try_advisory_xact_lock(span_claims.owner)`,
    [traceId, owner, LONGEST_CLAIM_MS],
  );
  return claimed === 1;
}

/** A trace's waiting spans in order; where some of them are being told, only those. */
async function readSpans(queries: Queries, traceId: string, most: MostNews): Promise<PlacedSpan[]> {
  const rows = await queries.rows<SpanRow>(
    `SELECT place, trace_id, span_id, parent_span_id, content FROM (
       SELECT *, sum(length(content)) OVER (ORDER BY place) - length(content) AS before FROM (
         SELECT * FROM spans WHERE trace_id = $1 AND taken = (SELECT max(taken) FROM spans WHERE trace_id = $1)
         ORDER BY place LIMIT $2
       ) AS waiting
     ) AS page WHERE before < $3 ORDER BY place`,
    [traceId, most.spans, most.characters],
  );
  return rows.map(({ place, ...span }) => ({ place, span }));
}

const WAITING = "SELECT trace_id, min(received_at) AS since, max(received_at) AS newest FROM spans GROUP BY trace_id";

const MISSING = `SELECT 1 FROM spans AS span WHERE span.trace_id = $1 AND span.parent_span_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM spans AS parent
      WHERE parent.trace_id = span.trace_id AND parent.span_id = span.parent_span_id)
    AND NOT EXISTS (SELECT 1 FROM events
      WHERE id >= 'otlp:' || span.trace_id || ':' || span.parent_span_id || ':'
        AND id < 'otlp:' || span.trace_id || ':' || span.parent_span_id || ';' AND ${IS_SEEN})
  LIMIT 1`;

// Those of spans that wait were written by a replica that ended before it had told them all: they are told again.
const TOLD = `SELECT id, type, conversation_id, run_id, call_id, iteration,
    CASE WHEN type = ANY($3) THEN payload END AS payload
  FROM events WHERE id >= $1 AND id < $2 AND conversation_id IS NOT NULL AND ${IS_SEEN}
    AND NOT EXISTS (SELECT 1 FROM spans WHERE trace_id = substr(events.id, 6, 32) AND span_id = substr(events.id, 39, 16))
  ORDER BY position`;

const SAID = `SELECT role, content FROM messages WHERE conversation_id = $1 AND role IN ('user', 'assistant')
    AND NOT (starts_with(id, 'otlp:' || $2 || ':') AND EXISTS (SELECT 1 FROM spans
      WHERE trace_id = $2 AND span_id = substr(messages.id, 39, 16)))
  ORDER BY seq DESC LIMIT $3`;
