import { randomBytes } from "node:crypto";
import type { Server } from "node:http";
import type { Fault } from "./faults.ts";
import { createFront, type PortalLogger } from "./front.ts";
import { createLimiter, type Limits } from "./limiter.ts";
import { openStore, type Store } from "./store.ts";

/** The time for running requests when the portal closes, in ms. */
const GRACE_MS = 500;

interface PortalOptions {
  /** The path of its database; created with the demo company if it does not exist. */
  file: string;
  /** A free port by default. */
  port?: number;
  logger: PortalLogger;
  /** The rate limit, for tests; none by default. */
  limits?: Limits;
  /** Injected error responses, for tests; the array may grow while the portal runs. */
  faults?: Fault[];
}

/** A running demo portal. */
interface DemoPortal {
  /** `http://127.0.0.1:<port>/rest/1/<token>/`, like a Bitrix24 incoming webhook. */
  webhookUrl: string;
  /** Accepts no more requests, waits briefly for running ones, and closes the database. */
  close(): Promise<void>;
}

/**
 * Starts the demo portal: an HTTP server on the loopback interface with Bitrix24's REST API and a small company in its
 * own database. What it has answered is in the database. Throws when the port is taken or the file cannot be written,
 * and then holds no resources.
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

/** The webhook's secret, created at the first start with the company. */
async function tokenOf(store: Store): Promise<string> {
  const known = store.token();
  if (known !== null) return known;
  // Imported here, because a portal with data does not need it.
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
