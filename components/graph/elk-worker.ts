import ELK, { type ElkNode } from "elkjs/lib/elk-api.js";

/** The script of the worker, served by its address as it is: it is 1.6 MB and needs no bundling. */
const SCRIPT = new URL("../../node_modules/elkjs/lib/elk-worker.min.js", import.meta.url);

/** A worker that has nothing to do: starting one takes longer than laying out a usual plan. */
let idle: InstanceType<typeof ELK> | null = null;

function takeWorker(): InstanceType<typeof ELK> {
  const elk = idle ?? new ELK({ algorithms: ["layered"], workerFactory: () => new Worker(SCRIPT) });
  idle = null;
  return elk;
}

function keepWorker(elk: InstanceType<typeof ELK>): void {
  idle?.terminateWorker();
  idle = elk;
}

/** ELK did not finish within the time it was given. */
export class TooSlow extends Error {}

/** Lays a graph out in a worker. Throws `TooSlow` after `limit` ms, and the signal's reason when it is aborted. */
export async function runElk(graph: ElkNode, limit: number, signal: AbortSignal): Promise<ElkNode> {
  signal.throwIfAborted();
  const elk = takeWorker();
  const stopped = Promise.withResolvers<never>();
  const abort = () => stopped.reject(signal.reason);
  const timer = setTimeout(() => stopped.reject(new TooSlow(`No layout within ${limit} ms`)), limit);
  signal.addEventListener("abort", abort);
  try {
    const answer = await Promise.race([elk.layout(graph), stopped.promise]);
    keepWorker(elk);
    return answer;
  } catch (error) {
    // A layout cannot be stopped but with its worker.
    elk.terminateWorker();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}
