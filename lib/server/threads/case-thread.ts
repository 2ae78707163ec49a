import { parentPort, workerData } from "node:worker_threads";
import type { LogReader } from "../../../db/log-reader.ts";
import { collectWhenIdle } from "../../event-loop/idle-collection.ts";
import { doCaseWork } from "../../suites/case-work.ts";
import type { CaseReply, NumberedCase } from "./case-work.ts";
import { logPlace, openLogReader } from "./log-place.ts";

// The entry of the thread that makes and changes cases, one at a time: each may take 100 MB.
if (!parentPort) throw new Error("case-thread.ts runs as a worker thread");
const port = parentPort;
const place = logPlace.parse(workerData);
collectWhenIdle(1_000);

let log: Promise<LogReader> | null = null;
let working: Promise<void> = Promise.resolve();
port.on("message", (asked: NumberedCase) => {
  working = working.then(async () => port.postMessage(await reply(asked)));
});

async function reply({ id, order }: NumberedCase): Promise<CaseReply> {
  try {
    const done = await doCaseWork(order, async (...page) => {
      log ??= openLogReader(place);
      return (await log).list(...page);
    });
    return { id, done };
  } catch (error) {
    return { id, error };
  }
}
