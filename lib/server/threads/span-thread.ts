import { parentPort } from "node:worker_threads";
import { MalformedSpans } from "../../intake/otlp/protocol/decode.ts";
import { createTraceMapping } from "../../traces/trace-mapping.ts";
import { readOtlpRequest } from "./otlp-request.ts";
import type { MappingOrder, RequestOrder, SpanOrder, SpanReply } from "./span-reader.ts";

// The entry of the thread that parses spans, one request at a time, and maps traces in between.
if (!parentPort) throw new Error("span-thread.ts runs as a worker thread");
const port = parentPort;
const traces = createTraceMapping();

/** So many replies are sent in one message: it costs more than what most of them hold, and the first should not wait for the last. */
const REPLIES_AT_ONCE = 16;

let reading: Promise<void> = Promise.resolve();
port.on("message", (orders: SpanOrder[]) => {
  let replies: SpanReply[] = [];
  for (const order of orders) {
    if (replies.length === REPLIES_AT_ONCE) {
      port.postMessage(replies);
      replies = [];
    }
    if (order.is === "request") reading = reading.then(async () => reply(await received(order)));
    else if (order.is === "drop") traces.drop(order.key);
    else replies.push(mapped(order));
  }
  if (replies.length > 0) port.postMessage(replies);
});

/** The text of spans is not copied. */
function reply(one: SpanReply): void {
  port.postMessage([one], one.is === "received" ? one.received.spans.map(({ text }) => text.buffer) : []);
}

async function received({ id, request }: RequestOrder): Promise<SpanReply> {
  try {
    return { id, is: "received", received: await readOtlpRequest(request) };
  } catch (error) {
    if (!(error instanceof MalformedSpans)) return { id, is: "broken", error };
    return { id, is: "malformed", message: error.message, tooLarge: error.tooLarge };
  }
}

function mapped(order: MappingOrder): SpanReply {
  const { id, key } = order;
  try {
    switch (order.is) {
      case "read":
        return { id, is: "read", read: traces.read(key, order.trace) };
      case "map":
        return { id, is: "mapped", page: traces.map(key, order.said) };
      default:
        return order satisfies never;
    }
  } catch (error) {
    traces.drop(key);
    return { id, is: "broken", error };
  }
}
