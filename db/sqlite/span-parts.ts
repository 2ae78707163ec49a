import type { Json } from "../../lib/session/json/json.ts";
import type { PlacedSpan } from "../payload/stored-spans.ts";
import type { WaitingSpan } from "../repositories.ts";
import type { Connection } from "./connection.ts";
import { prepareIsTold } from "./events-by-id.ts";
import type { SpanPart } from "./held-traces.ts";

/** Writes the parts in which spans came. */
export function prepareSpanParts(connection: Connection) {
  const insert = connection.prepare<[id: number, received_at: number, content: Uint8Array]>(
    "INSERT INTO span_parts (id, received_at, content) VALUES (?, ?, CAST(? AS TEXT))",
  );
  const update = connection.prepare<[content: Uint8Array, id: number]>(
    "UPDATE span_parts SET content = CAST(? AS TEXT) WHERE id = ?",
  );
  const remove = connection.prepare<[id: number]>("DELETE FROM span_parts WHERE id = ?");
  return {
    insert: ({ id, receivedAt, waiting }: SpanPart) => void insert.run(id, receivedAt, printSpans(waiting.values())),
    /** Writes it without those that do not wait any more. */
    rewrite({ id, waiting }: SpanPart): void {
      if (waiting.size === 0) remove.run(id);
      else update.run(printSpans(waiting.values()), id);
    },
  };
}

/** The contents are JSON already. Spans that came together are printed already, in their order. */
function printSpans(placed: Iterable<PlacedSpan>): Uint8Array {
  const spans = Array.from(placed, ({ span }) => span);
  const text = spans[0]?.printed?.text;
  if (text?.count === spans.length && spans.every(({ printed }) => printed?.text === text)) return text.bytes;
  const printed = spans.flatMap((span) => {
    const { trace_id, span_id, parent_span_id } = span;
    const ids = `[${JSON.stringify(trace_id)},${JSON.stringify(span_id)},${JSON.stringify(parent_span_id)},`;
    return [Buffer.from(ids), contentOf(span), Buffer.from("],")];
  });
  return Buffer.concat([Buffer.from("["), ...printed.slice(0, -1), Buffer.from("]]")]);
}

function contentOf(span: WaitingSpan): Uint8Array {
  const { printed } = span;
  return printed ? printed.text.bytes.subarray(printed.from, printed.to) : Buffer.from(span.content);
}

type PrintedSpan = [trace_id: string, span_id: string, parent_span_id: string | null, content: Json];

/**
 * Moves what an earlier process left in parts to the table of spans. One that is there, or that the log has events of, is known
 * already: its part had others that waited.
 */
export function unpackSpanParts(connection: Connection): void {
  const parts = connection.prepare<[], { id: number; received_at: number; content: string }>(
    "SELECT id, received_at, content FROM span_parts ORDER BY id LIMIT 1",
  );
  const insert = connection.prepare<
    [trace_id: string, span_id: string, parent: string | null, at: number, content: string]
  >(
    `INSERT INTO spans (trace_id, span_id, parent_span_id, received_at, content) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (trace_id, span_id) DO NOTHING`,
  );
  const isTold = prepareIsTold(connection);
  const remove = connection.prepare<[id: number]>("DELETE FROM span_parts WHERE id = ?");
  connection.transaction(() => {
    for (let part = parts.get(); part; part = parts.get()) {
      const spans: PrintedSpan[] = JSON.parse(part.content);
      for (const [traceId, spanId, parent, content] of spans) {
        if (isTold(`otlp:${traceId}:${spanId}:`)) continue;
        insert.run(traceId, spanId, parent, part.received_at, JSON.stringify(content));
      }
      remove.run(part.id);
    }
  })();
}
