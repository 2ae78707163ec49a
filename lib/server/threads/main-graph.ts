import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import type { GraphDrawing, MainGraph } from "../../dialog/main-graph/main-graph.ts";
import type { WalkBeginning, WalkEnd } from "../../dialog/main-graph/walk.ts";
import { ThreadOnDemand } from "./thread-on-demand.ts";

/** A request to the thread. */
export type GraphOrder = { id: number } & ({ act: "run"; beginning: WalkBeginning } | { act: "draw" });

/** Its reply. */
export type GraphReply = { id: number } & (
  | { is: "end"; end: WalkEnd }
  | { is: "drawing"; drawing: GraphDrawing }
  | { is: "broken"; error: unknown }
);

/** An idle thread ends after this time, to free its 60 MB. */
const IDLE_MS = 60_000;
/** A turn's texts are what it holds, MB. */
const MEMORY = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 12 };

/**
 * Runs the main graph in a thread, which starts on demand: loading LangGraph in the main thread made all other requests
 * wait for 0.2 to 0.8 s. If the thread dies, the turns that it directs fail.
 */
export function createMainGraphThread(logger: Logger): MainGraph & { close(): Promise<void> } {
  const threads = new ThreadOnDemand<GraphReply>({
    name: "The thread of the main graph",
    start: () => new Worker(new URL("./main-graph-thread.ts", import.meta.url), { resourceLimits: MEMORY }),
    idle_ms: IDLE_MS,
    logger,
  });

  function ask(orderOf: (id: number) => GraphOrder): Promise<GraphReply> {
    const thread = threads.started();
    const id = threads.newId();
    const reply = threads.reply(thread, id);
    thread.worker.postMessage(orderOf(id));
    return reply;
  }

  return {
    async run(beginning) {
      const reply = await ask((id) => ({ id, act: "run", beginning }));
      if (reply.is !== "end") throw errorOf(reply);
      return reply.end;
    },
    async draw() {
      const reply = await ask((id) => ({ id, act: "draw" }));
      if (reply.is !== "drawing") throw errorOf(reply);
      return reply.drawing;
    },
    close: () => threads.close(),
  };
}

/** What the nodes threw. */
function errorOf(reply: GraphReply): Error {
  if (reply.is === "broken" && reply.error instanceof Error) return reply.error;
  return new Error(`The thread of the main graph replied with ${reply.is}`);
}
