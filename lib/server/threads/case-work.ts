import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import type { CaseOrder, CaseWork, DoneCase } from "../../suites/case-work.ts";
import type { LogPlace } from "./log-place.ts";
import { ThreadOnDemand } from "./thread-on-demand.ts";

/** What the thread is told. */
export interface NumberedCase {
  id: number;
  order: CaseOrder;
}

/** What it replies. */
export type CaseReply = { id: number } & ({ done: DoneCase } | { error: unknown });

/** An idle thread ends after this time, to free its memory, ms. */
const IDLE_MS = 10_000;
/** The largest session, of 20 million characters, takes half of it, MB. */
const MEMORY = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 32 };

/** Makes and changes cases in a thread, which starts on demand: redacting 5 MB takes 0.8 s, for which all others would wait. */
export function createCaseWork(place: LogPlace, logger: Logger): CaseWork & { close(): Promise<void> } {
  const threads = new ThreadOnDemand<CaseReply>({
    name: "The thread of cases",
    start: () =>
      new Worker(new URL("./case-thread.ts", import.meta.url), { workerData: place, resourceLimits: MEMORY }),
    idle_ms: IDLE_MS,
    logger,
  });
  return {
    async do(order) {
      const id = threads.newId();
      const thread = threads.started();
      const replied = threads.reply(thread, id);
      thread.worker.postMessage({ id, order } satisfies NumberedCase);
      const reply = await replied;
      if ("error" in reply) throw new Error("A case could not be made", { cause: reply.error });
      return reply.done;
    },
    close: () => threads.close(),
  };
}
