import { parentPort, workerData } from "node:worker_threads";
import { collectWhenIdle } from "../../../lib/event-loop/idle-collection.ts";
import { StorageDamaged } from "../../errors.ts";
import { toThreadError } from "../../thread-errors.ts";
import { openForReading } from "../connection.ts";
import { isDamage } from "../data-dir/damage.ts";
import { createReader, type Reader } from "./reader.ts";
import { type Answer, type Call, CLOSE, FORGET } from "./reader-messages.ts";

// The entry of a reader thread: it answers calls of `ReaderPool` one at a time.
if (!parentPort) throw new Error("reader-thread.ts runs as a worker thread");
const port = parentPort;
collectWhenIdle(1_000);
const connection = openForReading(String(workerData));
let reader = createReader(connection);

port.on("message", (message: Call | typeof FORGET | typeof CLOSE) => {
  switch (message) {
    case FORGET:
      reader = createReader(connection);
      return;
    case CLOSE:
      connection.close();
      port.close();
      return;
    default:
      send(answer(message));
  }
});

/** The bytes of a view are transferred, everything else is copied. */
function send(answer: Answer<unknown>): void {
  const value = answer.ok ? answer.value : null;
  const json = typeof value === "object" && value !== null && "json" in value ? value.json : null;
  port.postMessage(answer, json instanceof Uint8Array && json.buffer instanceof ArrayBuffer ? [json.buffer] : []);
}

function answer(call: Call): Answer<unknown> {
  try {
    return { ok: true, value: run(reader, call) };
  } catch (error) {
    return { ok: false, error: toThreadError(isDamage(error) ? new StorageDamaged(error) : error) };
  }
}

function run(from: Reader, call: Call): unknown {
  switch (call.method) {
    case "view":
      return from.view(...call.args);
    case "slowView":
      return from.slowView(...call.args);
    case "timeline":
      return from.timeline(...call.args);
    case "timelinePart":
      return from.timelinePart(...call.args);
    case "timelineBuckets":
      return from.timelineBuckets(...call.args);
    case "nextStep":
      return from.nextStep(...call.args);
    case "list":
      return from.list(...call.args);
    case "search":
      return from.search(...call.args);
    case "unsearched":
      return from.unsearched();
    case "searchSession":
      return from.searchSession(...call.args);
    case "stateHistory":
      return from.stateHistory(...call.args);
    case "inferredEdges":
      return from.inferredEdges(...call.args);
    case "sessionMap":
      return from.sessionMap(...call.args);
    case "similarFailures":
      return from.similarFailures(...call.args);
    case "holds":
      return from.holds(...call.args);
    case "tokensBetween":
      return from.tokensBetween(...call.args);
    case "facets":
      return from.facets(...call.args);
    case "queueCounts":
      return from.queueCounts(...call.args);
    case "eventsOfType":
      return from.eventsOfType(...call.args);
    case "missing":
      return from.missing(...call.args);
    case "erasureScope":
      return from.erasureScope(...call.args);
    case "rollupBatch":
      return from.rollupBatch();
    case "overview":
      return from.overview(...call.args);
    case "tools":
      return from.tools(...call.args);
    case "tool":
      return from.tool(...call.args);
    case "ruleHours":
      return from.ruleHours(...call.args);
    case "versions":
      return from.versions(...call.args);
    case "reviewed":
      return from.reviewed(...call.args);
    default:
      return call satisfies never;
  }
}
