import { parentPort, workerData } from "node:worker_threads";
import { openForReading } from "./connection.ts";
import { createReader, type Reader } from "./reader.ts";
import { type Answer, type Call, toRefusal } from "./reader-messages.ts";

// The entry of a reader thread: it answers the calls of `ReaderPool`, one after another.
if (!parentPort) throw new Error("reader-thread.ts runs as a worker thread");
const port = parentPort;
const reader = createReader(openForReading(String(workerData)));

port.on("message", (call: Call) => port.postMessage(answer(call)));

function answer(call: Call): Answer<unknown> {
  try {
    return { ok: true, value: run(reader, call) };
  } catch (error) {
    return { ok: false, refusal: toRefusal(error) };
  }
}

function run(from: Reader, call: Call): unknown {
  switch (call.method) {
    case "view":
      return from.view(...call.args);
    case "timeline":
      return from.timeline(...call.args);
    case "search":
      return from.search(...call.args);
    case "facets":
      return from.facets(...call.args);
    case "eventsOfType":
      return from.eventsOfType(...call.args);
    case "missingSnapshots":
      return from.missingSnapshots(...call.args);
    default:
      return call satisfies never;
  }
}
