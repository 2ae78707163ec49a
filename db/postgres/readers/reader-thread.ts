import { parentPort, workerData } from "node:worker_threads";
import { collectWhenIdle } from "../../../lib/event-loop/idle-collection.ts";
import { toThreadError } from "../../thread-errors.ts";
import { openDatabase } from "../database.ts";
import { type Answer, type Call, CLOSE } from "./reader-messages.ts";
import { createSessionReads } from "./session-reads.ts";

// The entry of a reader thread: it answers calls of `ReaderThreads`, as many at once as it has connections.
if (!parentPort) throw new Error("reader-thread.ts runs as a worker thread");
const port = parentPort;
collectWhenIdle(1_000);

/** What a call waits for is mostly the thread itself. */
const CONNECTIONS = 3;

const database = openDatabase(String(workerData), () => undefined, CONNECTIONS);
const reads: Record<string, (...args: never[]) => Promise<unknown>> = createSessionReads(database);
const underWay = new Set<Promise<void>>();

port.on("message", (message: Call | typeof CLOSE) => {
  if (message === CLOSE) {
    void Promise.all(underWay)
      .then(() => database.close())
      .then(() => port.close());
    return;
  }
  const answered = answer(message)
    .then(send)
    .finally(() => underWay.delete(answered));
  underWay.add(answered);
});

async function answer({ id, method, args }: Call): Promise<Answer> {
  try {
    return { id, value: await Reflect.apply(reads[method] ?? unknownCall, null, args) };
  } catch (error) {
    return { id, error: toThreadError(error) };
  }
}

function unknownCall(): never {
  throw new Error("A reader thread has no such call");
}

/** The bytes of a view are transferred, everything else is copied. */
function send(answer: Answer): void {
  const value = "value" in answer ? answer.value : null;
  const json = typeof value === "object" && value !== null && "json" in value ? value.json : null;
  port.postMessage(answer, json instanceof Uint8Array && json.buffer instanceof ArrayBuffer ? [json.buffer] : []);
}
