import ELK, { type ElkNode } from "elkjs/lib/elk-api.js";

/**
 * The script of the worker, served as it is: 1.6 MB that need no bundling. `new Worker` is left to elkjs, where the
 * bundler does not see it.
 */
const SCRIPT = new URL("../../../node_modules/elkjs/lib/elk-worker.min.js", import.meta.url);

/** How long the worker may take to load and start, ms; on a loaded machine it took 2 s here. */
const START_LIMIT = 6_000;

interface Running {
  elk: InstanceType<typeof ELK>;
  /** Settles when the worker has loaded and answers. */
  ready: Promise<unknown>;
}

/** A worker that has nothing to do: starting one takes longer than laying out a usual plan. */
let idle: Running | null = null;

/** ELK did not finish within the time it was given. */
export class TooSlow extends Error {}

/** Starts the worker ahead of the first layout. */
export function startWorker(): void {
  idle ??= start();
}

/** Lays a graph out in a worker. Throws `TooSlow` after `limit` ms, and the signal's reason when it is aborted. */
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
    // A layout cannot be stopped but with its worker.
    worker.elk.terminateWorker();
    throw error;
  }
}

function start(): Running {
  const elk = new ELK({ algorithms: ["layered"], workerUrl: SCRIPT.href });
  return { elk, ready: elk.knownLayoutAlgorithms() };
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
