import { parentPort } from "node:worker_threads";
import { MalformedSpans } from "../intake/otlp/decode.ts";
import type { SpanOrder, SpanReply } from "./span-reader.ts";
import { readSpanRequest } from "./span-request.ts";

// The entry of the thread that parses spans, one request at a time.
if (!parentPort) throw new Error("span-thread.ts runs as a worker thread");
const port = parentPort;

let reading: Promise<void> = Promise.resolve();
port.on("message", (order: SpanOrder) => {
  reading = reading.then(async () => port.postMessage(await reply(order)));
});

async function reply({ id, request }: SpanOrder): Promise<SpanReply> {
  try {
    return { id, is: "done", received: await readSpanRequest(request) };
  } catch (error) {
    if (!(error instanceof MalformedSpans)) return { id, is: "broken", error };
    return { id, is: "malformed", message: error.message, tooLarge: error.tooLarge };
  }
}
