import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Json } from "../../lib/session/json/json.ts";
import { type Fault, takeFault } from "./faults.ts";
import { OWNER_ID } from "./method.ts";
import { perform } from "./methods/methods.ts";
import { Refusal } from "./refusal.ts";
import { readParams, readTarget, type Target } from "./request.ts";
import type { Store } from "./store.ts";
import { timeOf } from "./timing.ts";

/** A logger like Pino. */
export interface PortalLogger {
  error(fields: object, message: string): void;
}

interface Portal {
  store: Store;
  token: string;
  logger: PortalLogger;
  /** Whether another request is within the limits. */
  isWithinLimits: () => boolean;
  faults: Fault[];
}

interface Answer {
  status: number;
  body: Json;
}

/** Names of this machine: a page that reaches the portal under another name (DNS rebinding) is refused. */
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

/** The portal's HTTP server: addresses, parameters and responses of Bitrix24. */
export function createFront(portal: Portal): Server {
  return createServer((request, response) => {
    answer(request, portal)
      .catch((error: unknown): Answer => {
        if (error instanceof Refusal) return { status: error.status, body: error.body() };
        // The client disconnected, so there is no response.
        if (request.complete) portal.logger.error({ err: error }, "A call of the demo portal failed");
        return { status: 500, body: new Refusal(500, "INTERNAL_SERVER_ERROR", "Internal server error").body() };
      })
      .then((given) => send(response, given));
  });
}

async function answer(request: IncomingMessage, portal: Portal): Promise<Answer> {
  const started = performance.now();
  if (!LOOPBACK.test(request.headers.host ?? "")) {
    throw new Refusal(403, "FOREIGN_HOST", "The demo portal answers under names of this machine only");
  }
  const target = readTarget(request.url ?? "");
  if (!target) throw new Refusal(404, "ERROR_METHOD_NOT_FOUND", "Method not found!");
  if (!isOwner(target, portal.token)) throw new Refusal(401, "INVALID_CREDENTIALS", "Invalid request credentials");
  if (!portal.isWithinLimits()) throw new Refusal(503, "QUERY_LIMIT_EXCEEDED", "Too many requests");
  if (request.method !== "GET" && request.method !== "POST") {
    throw new Refusal(405, "ERROR_METHOD_NOT_ALLOWED", "Send a GET or POST request");
  }
  const params = await readParams(request, target.query);
  const fault = takeFault(portal.faults, target.method);
  if (fault) return fault;
  const { result, ...counts } = perform(target.method, { params, store: portal.store, now: new Date() });
  return { status: 200, body: { result, ...counts, time: timeOf(started) } };
}

function isOwner({ user, token }: Target, expected: string): boolean {
  const [given, known] = [Buffer.from(token), Buffer.from(expected)];
  return user === OWNER_ID && given.length === known.length && timingSafeEqual(given, known);
}

function send(response: ServerResponse, { status, body }: Answer): void {
  const text = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", "content-length": text.length });
  response.end(text);
}
