import { parentPort, workerData } from "node:worker_threads";
import { openForWriting } from "../connection.ts";
import type { CheckpointAnswer, CheckpointOrder, Copied } from "./checkpointer.ts";

// The entry of the checkpoint thread: it makes checkpoints on request, one at a time.
if (!parentPort) throw new Error("checkpoint-thread.ts runs as a worker thread");
const port = parentPort;
const connection = openForWriting(String(workerData), "full");

port.on("message", (order: CheckpointOrder) => {
  if (order === "end") {
    connection.close();
    port.close();
    return;
  }
  port.postMessage(checkpoint(order));
});

function checkpoint({ mode, patience }: Exclude<CheckpointOrder, "end">): CheckpointAnswer {
  try {
    connection.pragma(`busy_timeout = ${patience}`);
    const copied = connection.prepare<[], Copied>(`PRAGMA wal_checkpoint(${mode})`).get();
    return { copied: copied ?? { log: 0, checkpointed: 0 } };
  } catch (error) {
    return { error };
  }
}
