import { createHash } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openForReading, openForWriting } from "../db/sqlite/connection.ts";
import { migrateDatabase } from "../db/sqlite/migrate.ts";
import type { Span } from "../lib/intake/otlp/span.ts";
import { printSpan } from "../lib/intake/otlp/stored-span.ts";
import { exporterRequest, jsonRequest, protobufTraces } from "../lib/intake/otlp/testing/request.ts";
import { twoToolAgent } from "../lib/intake/otlp/testing/spans.ts";
import type { ServerProcess } from "../scripts/server-process.ts";
import { cpuSeconds } from "./cpu.ts";
import { fire } from "./load.ts";
import { readRows, writeRaw } from "./raw.ts";
import { count, median, printTable, ratio } from "./table.ts";

const TRACES = 2_500;
const BATCH = 512;
const CONNECTIONS = 8;
const ROUNDS = 3;
/** The number of events that the server writes at once for a trace. */
const TOLD_AT_ONCE = 500;

/** The ways in which spans come. */
const ORDERS = [
  {
    name: "as an exporter sends them",
    // Traces as they end, their resource once a request.
    order: (spans: readonly Span[]) => [...spans],
    request: exporterRequest,
  },
  {
    name: "shuffled over all requests",
    order: shuffled<Span>,
    request: jsonRequest,
  },
];

interface Place {
  dataDir: string;
  database: string;
}

/**
 * Benchmarks spans over HTTP: until all are acknowledged, and until all are mapped, compared with raw better-sqlite3
 * that writes the same rows: the spans, their events and messages, and deletes the spans. The CPU time is that of the server
 * and of this process, which sends them, until all are mapped.
 */
export async function benchSpans(obelus: ServerProcess, dataDir: string, database: string): Promise<void> {
  const rows = [];
  for (const [index, way] of ORDERS.entries()) {
    const place = { dataDir, database };
    await measure(obelus, place, { ...way, prefix: `spans-${index}-warm-up`, traces: TRACES / 10 });
    const rounds: Awaited<ReturnType<typeof measure>>[] = [];
    for (let round = 1; round <= ROUNDS; round += 1)
      rounds.push(await measure(obelus, place, { ...way, prefix: `spans-${index}-${round}`, traces: TRACES }));
    const middle = (of: keyof (typeof rounds)[number]) => median(rounds.map((rates) => rates[of]));
    rows.push([
      ...[way.name, count(middle("kept")), count(middle("told")), count(middle("raw"))],
      ...[ratio(middle("kept") / middle("raw")), ratio(middle("told") / middle("raw"))],
      ...[`${middle("server").toFixed(0)} µs`, `${middle("sender").toFixed(0)} µs`],
    ]);
  }
  printTable(
    `Spans over HTTP, durable, spans/s (protobuf, ${BATCH} a request, ${CONNECTIONS} connections)`,
    [
      ...["spans come", "acknowledged", "told, the quiet second left out", "raw SQLite"],
      ...["acknowledged to raw", "told to raw", "server's CPU a span", "sender's"],
    ],
    rows,
  );
}

interface Load extends Omit<(typeof ORDERS)[number], "name"> {
  /** Conversations are named by it. */
  prefix: string;
  traces: number;
}

async function measure(obelus: ServerProcess, { dataDir, database }: Place, { prefix, traces, order, request }: Load) {
  const spans = order(Array.from({ length: traces }, (_, index) => agentSpans(prefix, index)).flat());
  const batches = Array.from({ length: Math.ceil(spans.length / BATCH) }, (_, index) =>
    spans.slice(index * BATCH, (index + 1) * BATCH),
  );
  const shots = await Promise.all(
    batches.map(async (batch) => ({
      path: "/v1/traces",
      body: await protobufTraces(request(batch)),
      type: "application/x-protobuf",
    })),
  );
  const before = look(database);
  const cpuBefore = { server: cpuSeconds(obelus.pid) ?? 0, sender: process.cpuUsage() };
  const acknowledged = await fire(obelus.address, shots, CONNECTIONS);
  const after = performance.now();
  while (look(database).waiting > 0) await sleep(50);
  // Traces are mapped a second after their last span arrived.
  const telling = Math.max(0, (performance.now() - after) / 1000 - 1);
  const sender = process.cpuUsage(cpuBefore.sender);
  const server = (cpuSeconds(obelus.pid) ?? 0) - cpuBefore.server;
  const rows = readRows(database, look(database).events - before.events);
  const raw =
    writeRaw(join(dataDir, `${prefix}.sqlite`), rows, TOLD_AT_ONCE) +
    writeSpans(join(dataDir, `${prefix}-spans.sqlite`), batches);
  return {
    kept: spans.length / acknowledged,
    told: spans.length / (acknowledged + telling),
    raw: spans.length / raw,
    server: (server * 1_000_000) / spans.length,
    sender: (sender.user + sender.system) / spans.length,
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

/** An agent with two model requests and two tool calls: six spans in their own conversation, in the order in which they end. */
export function agentSpans(name: string, index: number): Span[] {
  // Ids in ascending order, which no SDK makes, would flatter the indexes.
  const trace_id = createHash("sha256").update(`${name}-${index}`).digest("hex").slice(0, 32);
  const spans = twoToolAgent().map((span) => ({
    ...span,
    trace_id,
    attributes: {
      ...span.attributes,
      ...(span.parent_span_id === null && { "gen_ai.conversation.id": `${name}-${index}` }),
    },
  }));
  return spans.sort((a, b) => Number(a.end - b.end));
}

/** A deterministic shuffle. */
function shuffled<T>(items: readonly T[]): T[] {
  const order = items.map((item, index) => ({ item, rank: Math.imul(index + 1, 2_654_435_761) >>> 0 }));
  return order.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
}
