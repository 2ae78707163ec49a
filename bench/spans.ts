import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openForReading, openForWriting } from "../db/sqlite/connection.ts";
import { migrateDatabase } from "../db/sqlite/migrate.ts";
import type { Span } from "../lib/intake/otlp/span.ts";
import { printSpan } from "../lib/intake/otlp/stored-span.ts";
import { protobufRequest } from "../lib/intake/otlp/testing/request.ts";
import { twoToolAgent } from "../lib/intake/otlp/testing/spans.ts";
import type { ServerProcess } from "../scripts/server-process.ts";
import { fire } from "./load.ts";
import { readRows, writeRaw } from "./raw.ts";
import { count, median, printTable, ratio } from "./table.ts";

const TRACES = 2_500;
const BATCH = 512;
const CONNECTIONS = 8;
const ROUNDS = 3;
/** The number of events that the server writes at once for a trace. */
const TOLD_AT_ONCE = 500;

/**
 * Benchmarks spans over HTTP: until all are acknowledged, and until all are mapped, compared with raw better-sqlite3
 * that writes the same rows: the spans, their events and messages, and deletes the spans.
 */
export async function benchSpans(obelus: ServerProcess, dataDir: string, database: string): Promise<void> {
  await measure(obelus, { dataDir, database, name: "spans-warm-up", traces: TRACES / 10 });
  const rounds: Awaited<ReturnType<typeof measure>>[] = [];
  for (let round = 1; round <= ROUNDS; round += 1)
    rounds.push(await measure(obelus, { dataDir, database, name: `spans-${round}`, traces: TRACES }));
  const kept = median(rounds.map((rates) => rates.kept));
  const told = median(rounds.map((rates) => rates.told));
  const raw = median(rounds.map((rates) => rates.raw));
  printTable(
    `Spans over HTTP, durable, spans/s (protobuf, ${BATCH} a request, ${CONNECTIONS} connections, shuffled)`,
    ["acknowledged", "told, the quiet second left out", "raw SQLite", "acknowledged to raw", "told to raw"],
    [[count(kept), count(told), count(raw), ratio(kept / raw), ratio(told / raw)]],
  );
}

async function measure(
  obelus: ServerProcess,
  { dataDir, database, name, traces }: { dataDir: string; database: string; name: string; traces: number },
) {
  const spans = shuffled(Array.from({ length: traces }, (_, index) => agentSpans(name, index)).flat());
  const batches = Array.from({ length: Math.ceil(spans.length / BATCH) }, (_, index) =>
    spans.slice(index * BATCH, (index + 1) * BATCH),
  );
  const shots = await Promise.all(
    batches.map(async (batch) => ({
      path: "/v1/traces",
      body: await protobufRequest(batch),
      type: "application/x-protobuf",
    })),
  );
  const before = look(database);
  const acknowledged = await fire(obelus.address, shots, CONNECTIONS);
  const after = performance.now();
  while (look(database).waiting > 0) await sleep(50);
  // Traces are mapped a second after their last span arrived.
  const telling = Math.max(0, (performance.now() - after) / 1000 - 1);
  const rows = readRows(database, look(database).events - before.events);
  const raw =
    writeRaw(join(dataDir, `${name}.sqlite`), rows, TOLD_AT_ONCE) +
    writeSpans(join(dataDir, `${name}-spans.sqlite`), batches);
  return {
    kept: spans.length / acknowledged,
    told: spans.length / (acknowledged + telling),
    raw: spans.length / raw,
  };
}

/** The numbers of events and of waiting spans. */
function look(database: string): { events: number; waiting: number } {
  const connection = openForReading(database);
  const events = connection.prepare<[], number>("SELECT coalesce(max(position), 0) FROM events").pluck().get() ?? 0;
  const waiting =
    connection
      .prepare<[], number>("SELECT (SELECT count(*) FROM spans) + (SELECT count(*) FROM span_parts)")
      .pluck()
      .get() ?? 0;
  connection.close();
  return { events, waiting };
}

function writeSpans(file: string, batches: readonly Span[][]): number {
  const connection = openForWriting(file, "full");
  migrateDatabase(connection);
  const insert = connection.prepare("INSERT INTO span_parts (received_at, content) VALUES (?, ?)");
  const remove = connection.prepare("DELETE FROM span_parts");
  const parts = batches.map((batch) => JSON.stringify(batch.map((span) => printSpan(span))));
  const started = performance.now();
  for (const part of parts) {
    connection.exec("BEGIN IMMEDIATE");
    insert.run(1_795_348_800_000, part);
    connection.exec("COMMIT");
  }
  connection.exec("BEGIN IMMEDIATE");
  remove.run();
  connection.exec("COMMIT");
  const seconds = (performance.now() - started) / 1000;
  connection.close();
  return seconds;
}

/** An agent with two model requests and two tool calls: six spans in their own conversation. */
function agentSpans(name: string, index: number): Span[] {
  const trace_id = Buffer.from(`${name}-${index}`).toString("hex").padStart(32, "0").slice(-32);
  return twoToolAgent().map((span) => ({
    ...span,
    trace_id,
    attributes: {
      ...span.attributes,
      ...(span.parent_span_id === null && { "gen_ai.conversation.id": `${name}-${index}` }),
    },
  }));
}

/** A deterministic shuffle. */
function shuffled<T>(items: readonly T[]): T[] {
  const order = items.map((item, index) => ({ item, rank: Math.imul(index + 1, 2_654_435_761) >>> 0 }));
  return order.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
}
