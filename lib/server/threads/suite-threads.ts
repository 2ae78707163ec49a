import { Worker } from "node:worker_threads";
import type { ModelEndpoint } from "../../model/model-client.ts";
import type { DoneTry, SuiteOrder, SuiteWorkers } from "../../suites/run/suite-runs.ts";
import type { Config } from "../config.ts";

/** What a thread needs of the server. */
export interface SuiteThreadData {
  order: SuiteOrder;
  config: Pick<Config, "agentsDir" | "httpToolHosts" | "privateHosts" | "logLevel" | "redaction">;
  /** The endpoint of models. */
  endpoint: Omit<ModelEndpoint, "openEgress">;
}

/** What the thread says. It is sent the content of each case that it wants. */
export type SuiteReply =
  | { is: "wants"; id: string }
  | { is: "try"; done: DoneTry }
  | { is: "done" }
  | { is: "broken"; message: string };

export interface SuiteContent {
  id: string;
  content: string | null;
}

/** A case of 5 MB with its tries takes about 100 MB. */
const MEMORY = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 32 };

/**
 * Carries each run of a suite out in a thread of its own: reading a large case, an engine's steps and the comparison took up to
 * 0.3 s at once, for which all other requests would wait. A cancelled run's thread is terminated.
 */
export function createSuiteThreads({ config, endpoint }: Pick<SuiteThreadData, "config" | "endpoint">): SuiteWorkers {
  const { agentsDir, httpToolHosts, privateHosts, logLevel, redaction } = config;
  const picked = { agentsDir, httpToolHosts, privateHosts, logLevel, redaction };
  return {
    async work(order, { content, onTry }, signal) {
      signal.throwIfAborted();
      const data: SuiteThreadData = { order, config: picked, endpoint };
      const worker = new Worker(new URL("./suite-thread.ts", import.meta.url), {
        workerData: data,
        resourceLimits: MEMORY,
      });
      const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
      const abort = () => reject(signal.reason);
      signal.addEventListener("abort", abort);
      let stored: Promise<void> = Promise.resolve();
      worker.on("message", (reply: SuiteReply) => {
        switch (reply.is) {
          case "wants":
            content(reply.id).then(
              (found) => worker.postMessage({ id: reply.id, content: found } satisfies SuiteContent),
              reject,
            );
            break;
          case "try":
            stored = stored.then(() => onTry(reply.done));
            stored.catch(reject);
            break;
          case "done":
            stored.then(resolve, reject);
            break;
          case "broken":
            reject(new Error(reply.message));
            break;
          default:
            reply satisfies never;
        }
      });
      worker.on("error", reject);
      worker.on("exit", (code) => reject(new Error(`The thread of the run ended with code ${code}`)));
      try {
        await ended;
      } finally {
        signal.removeEventListener("abort", abort);
        await worker.terminate();
      }
    },
  };
}
