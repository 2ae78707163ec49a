import ELK, { type ElkNode } from "elkjs/lib/elk-api.js";

/** The worker's script, served unbundled (1.6 MB): the bundler does not see which one a worker is created with. */
const SCRIPT = new URL("../../../node_modules/elkjs/lib/elk-worker.min.js", import.meta.url);

/** Time limit for loading the worker, ms; it took 2 s on a loaded machine. */
const START_LIMIT = 6_000;

interface Running {
  elk: InstanceType<typeof ELK>;
  /** Settles when the worker has loaded and responds, or could not be loaded. */
  ready: Promise<unknown>;
}

/** Laid out while the plan is still read: the code of a layout is compiled when it first runs. */
const WARM_UP: ElkNode = {
  id: "warm-up",
  layoutOptions: { "elk.algorithm": "layered", "elk.direction": "RIGHT", "elk.edgeRouting": "ORTHOGONAL" },
  children: ["a", "b", "c"].map((id) => ({ id, width: 200, height: 60 })),
  edges: [
    { id: "ab", sources: ["a"], targets: ["b"] },
    { id: "ac", sources: ["a"], targets: ["c"] },
  ],
};

/** An idle worker is kept, because starting one takes longer than a usual layout. */
let idle: Running | null = null;

/** ELK exceeded its time limit. */
export class TooSlow extends Error {}

/** Starts the worker before the first layout. */
export function startWorker(): void {
  idle ??= start();
}

/** Lays out a graph in the worker. Throws `TooSlow` after `limit` ms, and the signal's reason when aborted. */
export async function runElk(graph: ElkNode, limit: number, signal: AbortSignal): Promise<ElkNode> {
  signal.throwIfAborted();
  const worker = idle ?? start();
  idle = null;
  try {
    await within(START_LIMIT, signal, worker.ready);
    const answer = await within(limit, signal, worker.elk.layout(graph));
    keep(worker);
    return answer;
  } catch (error) {
    // A layout can only be stopped by terminating its worker.
    worker.elk.terminateWorker();
    throw error;
  }
}

function start(): Running {
  const failed = Promise.withResolvers<never>();
  const elk = new ELK({
    algorithms: ["layered"],
    workerUrl: SCRIPT.href,
    workerFactory(url = "") {
      const worker = new Worker(url);
      worker.addEventListener("error", () => failed.reject(new Error("The worker for layouts could not be started")));
      return worker;
    },
  });
  const ready = Promise.race([elk.layout(structuredClone(WARM_UP)), failed.promise]);
  // It may fail before anybody waits for it; whoever does is told.
  ready.catch(() => undefined);
  return { elk, ready };
}

function keep(worker: Running): void {
  idle?.elk.terminateWorker();
  idle = worker;
}

async function within<T>(limit: number, signal: AbortSignal, work: Promise<T>): Promise<T> {
  const stopped = Promise.withResolvers<never>();
  const abort = () => stopped.reject(signal.reason);
  const timer = setTimeout(() => stopped.reject(new TooSlow(`No layout within ${limit} ms`)), limit);
  signal.addEventListener("abort", abort);
  try {
    return await Promise.race([work, stopped.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}
