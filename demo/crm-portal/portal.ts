import { randomBytes } from "node:crypto";
import type { Server } from "node:http";
import type { Fault } from "./faults.ts";
import { createFront, type PortalLogger } from "./front.ts";
import { createLimiter, type Limits } from "./limiter.ts";
import { openStore, type Store } from "./store.ts";

/** How long requests may still run once the portal closes, in ms. */
const GRACE_MS = 500;

interface PortalOptions {
  /** The path of its database; made and filled with the demo company when it is missing. */
  file: string;
  /** A free one by default. */
  port?: number;
  logger: PortalLogger;
  /** The pace of requests that it bears, for tests; none by default. */
  limits?: Limits;
  /** Answers in the place of the next ones, for tests; the array may grow while the portal runs. */
  faults?: Fault[];
}

/** A running demo portal. */
interface DemoPortal {
  /** `http://127.0.0.1:<port>/rest/1/<token>/`, as Bitrix24 shows an incoming webhook. */
  webhookUrl: string;
  /** Takes no more requests, waits briefly for those that run, and closes the database. */
  close(): Promise<void>;
}

/**
 * Starts the demo portal: an HTTP server on the loopback that speaks Bitrix24's REST and keeps a small company in a
 * database of its own. What it has answered is in that database. Throws what the system says when the port is taken or
 * the file cannot be written; nothing is held then.
 */
export async function startDemoPortal({
  file,
  port = 0,
  logger,
  limits,
  faults = [],
}: PortalOptions): Promise<DemoPortal> {
  const store = openStore(file);
  try {
    const token = await tokenOf(store);
    const isWithinLimits = limits ? createLimiter(limits) : () => true;
    const front = createFront({ store, token, logger, isWithinLimits, faults });
    const address = await listen(front, port);
    return {
      webhookUrl: `${address}/rest/1/${token}/`,
      async close() {
        await closeFront(front);
        store.close();
      },
    };
  } catch (error) {
    store.close();
    throw error;
  }
}

/** The webhook's secret; made at the first start, together with the company. */
async function tokenOf(store: Store): Promise<string> {
  const known = store.token();
  if (known !== null) return known;
  // Only here: a portal that has its data needs none of it.
  const { writeSeed } = await import("./seed/seed.ts");
  const token = randomBytes(16).toString("hex");
  store.fill(token, () => writeSeed(store, new Date()));
  return token;
}

async function listen(front: Server, port: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  front.once("error", reject);
  front.listen(port, "127.0.0.1", resolve);
  await promise;
  front.off("error", reject);
  const address = front.address();
  if (address === null || typeof address === "string") throw new Error("The demo portal listens on no port");
  return `http://127.0.0.1:${address.port}`;
}

async function closeFront(front: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  front.close(() => resolve());
  const timer = setTimeout(() => front.closeAllConnections(), GRACE_MS);
  await promise;
  clearTimeout(timer);
}
