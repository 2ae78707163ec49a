import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import type { GraphDrawing, MainGraph } from "../../dialog/main-graph/main-graph.ts";
import type { WalkBeginning, WalkEnd } from "../../dialog/main-graph/walk.ts";

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

interface Thread {
  worker: Worker;
  waiting: Map<number, { resolve(reply: GraphReply): void; reject(error: Error): void }>;
  idle: NodeJS.Timeout;
}

/**
 * Runs the main graph in a thread, which starts on demand: loading LangGraph in the main thread made all other requests
 * wait for 0.2 to 0.8 s. If the thread dies, the turns that it directs fail.
 */
export function createMainGraphThread(logger: Logger): MainGraph & { close(): Promise<void> } {
  let thread: Thread | null = null;
  let last = 0;
  let isClosed = false;

  function started(): Thread {
    if (isClosed) throw new Error("The thread of the main graph was closed");
    const worker = new Worker(new URL("./main-graph-thread.ts", import.meta.url), { resourceLimits: MEMORY });
    const begun: Thread = { worker, waiting: new Map(), idle: setTimeout(() => endIdle(begun), IDLE_MS) };
    begun.idle.unref();
    worker.on("message", (reply: GraphReply) => {
      begun.idle.refresh();
      const asked = begun.waiting.get(reply.id);
      begun.waiting.delete(reply.id);
      asked?.resolve(reply);
    });
    worker.on("error", (error) => lose(begun, error));
    worker.on("exit", (code) => lose(begun, new Error(`The thread ended with code ${code}`)));
    return begun;
  }

  function lose(lost: Thread, cause: unknown): void {
    if (thread === lost) {
      thread = null;
      if (!isClosed) logger.error({ err: cause }, "The thread of the main graph died; the next turn starts another");
    }
    clearTimeout(lost.idle);
    for (const { reject } of lost.waiting.values()) reject(new Error("The thread of the main graph died", { cause }));
    lost.waiting.clear();
  }

  function endIdle(idle: Thread): void {
    if (idle.waiting.size > 0) return void idle.idle.refresh();
    if (thread === idle) thread = null;
    void idle.worker.terminate();
  }

  function ask(orderOf: (id: number) => GraphOrder): Promise<GraphReply> {
    thread ??= started();
    last += 1;
    const { promise, resolve, reject } = Promise.withResolvers<GraphReply>();
    thread.waiting.set(last, { resolve, reject });
    thread.worker.postMessage(orderOf(last));
    return promise;
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
    async close() {
      isClosed = true;
      await thread?.worker.terminate();
    },
  };
}

/** What the nodes threw. */
function errorOf(reply: GraphReply): Error {
  if (reply.is === "broken" && reply.error instanceof Error) return reply.error;
  return new Error(`The thread of the main graph replied with ${reply.is}`);
}
