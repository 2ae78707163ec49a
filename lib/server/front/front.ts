import { randomUUID } from "node:crypto";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state.js";
import type { Logger } from "pino";
import type { Requester } from "../../access/caller.ts";
import { type ProblemCode, problemBody } from "../../api/problem.ts";
import { internalErrorSentence, REQUESTER_HEADER, writeRequester } from "../../api/request/requester.ts";
import { isMethod } from "../../api/route.ts";
import { createIterationQueue } from "../../event-loop/iteration-queue.ts";
import { errorCode, StartupError } from "../startup-error.ts";
import { answerApi } from "./answer-api.ts";
import type { ApiHandlers } from "./api-handlers.ts";
import { FILES } from "./compression/compressed-files.ts";
import { type Gate, READING } from "./gate.ts";
import type { Guard } from "./guard.ts";
import type { BodyLimit } from "./limits/limit-bodies.ts";
import { opensStream, type RequestLimits } from "./limits/limit-requests.ts";
import { oneAtATime } from "./limits/one-at-a-time.ts";
import { isApi, isOfNext } from "./page-access.ts";
import type { From } from "./proxies.ts";
import { readRequestPath } from "./request-path.ts";
import type { RequestWatch } from "./request-watch.ts";
import type { SecurityHeaders } from "./security-headers.ts";

interface FrontOptions {
  guard: Guard;
  /** Identifies callers. */
  gate: Gate;
  /** Determines client addresses. */
  proxies: (request: IncomingMessage) => From;
  headers: SecurityHeaders;
  limits: RequestLimits;
  bodies: BodyLimit;
  /** Logs and counts requests. */
  watch: RequestWatch;
  logger: Logger;
  stopping: AbortSignal;
  /** Aborted before `stopping`: see `Services`. */
  draining: AbortSignal;
  dev: boolean;
  /** What answers accepted requests; earlier ones wait for it. */
  answers: Promise<{ api: ApiHandlers; pages: RequestListener }>;
}

/** How long requests may still run when the server stops, ms: the rest of the two seconds is for storage. */
const GRACE_MS = 1_000;

const STOPPING = "The server is stopping; retry in a moment.";

/** The `Retry-After` while the database cannot be reached, in seconds. */
const UNREACHABLE_S = 2;

/** The HTTP server: rejects requests for other hosts, sets security headers, and passes requests to the API or to Next. */
export function createFront(options: FrontOptions): Server {
  // Only Next's development client uses WebSocket. An upgraded connection would bypass the checks and outlive the
  // server.
  const streamTurn = createIterationQueue();
  const listener = oneAtATime((request, response) => {
    response.once("close", () => {
      // A keep-alive connection would keep the server open.
      if (options.stopping.aborted) setImmediate(() => server.closeIdleConnections());
    });
    const from = options.proxies(request);
    const request_id = requestIdOf(request, from);
    response.setHeader("x-request-id", request_id);
    // A proxy sends nothing over a connection that is about to end.
    if (options.draining.aborted) response.setHeader("connection", "close");
    answer(request, response, { ...options, from, request_id, streamTurn }).catch((error) => {
      // Who asks is looked up in storage.
      const isUnreachable = errorCode(error) === "storage_unreachable";
      // Long reads are aborted when the server stops: clients reconnect.
      if (options.stopping.aborted) options.logger.info({ err: error, request_id }, "Request cut off by the stop");
      else if (!isUnreachable) options.logger.error({ err: error, request_id }, "Request failed");
      if (response.headersSent) return response.destroy();
      if (options.stopping.aborted) return refuse(response, "unavailable", STOPPING);
      if (!isUnreachable) return refuse(response, "internal", internalErrorSentence(request_id));
      response.setHeader("retry-after", UNREACHABLE_S);
      refuse(response, "unavailable", `${error.message}.`);
    });
  });
  const server = createServer({ shouldUpgradeCallback: () => options.dev }, listener);
  // Node responds to an unknown `Expect` without a body; it may be ignored (RFC 9110, 10.1.1).
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  // An import of 512 MB may take longer than Node's request timeout of five minutes; `bodies` limits all others.
  server.requestTimeout = 0;
  // Longer than the minute for which proxies and clients keep an idle connection: otherwise it may close as they reuse
  // it.
  server.keepAliveTimeout = 65_000;
  return server;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: FrontOptions & { from: From; request_id: string; streamTurn: () => Promise<void> },
): Promise<void> {
  const { guard, stopping, from, request_id, dev } = options;
  const address = readRequestPath(request.url);
  const path = "refused" in address ? null : address.path;
  options.bodies(request, response, path);
  const tellRequester = options.watch.begin(request, response, { request_id, path });

  setHeaders(request, response, path, options);

  const refusal = guard(request, from);
  if (refusal) return refuse(response, refusal.code, refusal.detail);
  if ("refused" in address) return refuse(response, "invalid_input", address.refused);
  // Everything after must see the same URL as the gate.
  request.url = address.path + address.query;
  if (stopping.aborted) return refuse(response, "unavailable", STOPPING);
  const isNext = isOfNext(address.path);
  if (isNext && !dev) return refuse(response, "not_found", "There is nothing at this address.");
  // The API's routes say which methods they have. Next, which redirects from a slash at the end, answers none that it does not know.
  const isOfApi = isApi(address.path) && (isMethod(request.method) || !address.path.endsWith("/"));
  if (!isOfApi && !(isNext ? isMethod(request.method) : READING.has(request.method ?? ""))) {
    response.setHeader("allow", "GET, HEAD");
    return refuse(
      response,
      "method_not_allowed",
      `The method ${request.method} is not allowed here; use GET for pages.`,
    );
  }
  const passage = await options.gate(request, address, from);
  const { caller } = passage;
  const requester: Requester = { caller, address: from.address, request_id, secure: from.secure };
  tellRequester(requester);
  const tooMany = await options.limits(request, response, { path: address.path, requester });
  if (tooMany) return refuse(response, tooMany.code, tooMany.detail);
  switch (passage.kind) {
    case "passes":
      break;
    case "refused":
      if (passage.code === "unauthorized") response.setHeader("www-authenticate", "Bearer");
      return refuse(response, passage.code, passage.detail);
    case "sign_in":
      response.writeHead(303, { location: passage.location, "cache-control": "no-store" }).end();
      return;
    case "forbidden":
      // Next renders the page and keeps the status.
      response.statusCode = 403;
      request.url = FORBIDDEN_PAGE;
      break;
    default:
      passage satisfies never;
  }
  const { api, pages } = await options.answers;
  if (opensStream(request.method, address.path)) await options.streamTurn();
  // A client that has disconnected needs no stream.
  if (response.destroyed) return;
  const answered = answerApi(api, address.path, request, response, requester);
  if (answered) return answered;
  if (!dev) removeNextHeaders(request.headers);
  request.headers[REQUESTER_HEADER] = writeRequester(requester);
  await pages(request, response);
}

const FORBIDDEN_PAGE = "/forbidden";

/** The request id of a trusted proxy, if it is safe to log; else a new one. */
function requestIdOf({ headers }: IncomingMessage, { trusted }: From): string {
  const sent = headers["x-request-id"];
  return trusted && typeof sent === "string" && REQUEST_ID.test(sent) ? sent : randomUUID();
}

const REQUEST_ID = /^[\w.:-]{1,64}$/;

function setHeaders(
  request: IncomingMessage,
  response: ServerResponse,
  path: string | null,
  { headers, dev }: FrontOptions,
): void {
  // Refusals are problem+json, as in the API.
  if (path === null || isApi(path)) headers.api(request, response);
  // Next's development client also evaluates code in workers.
  else if (path.startsWith(FILES) && !dev) headers.files(request, response);
  else headers.pages(request, response);
}

function refuse(response: ServerResponse, code: ProblemCode, detail: string): void {
  const body = problemBody(code, detail);
  response.writeHead(body.status, { "content-type": "application/problem+json", "cache-control": "no-store" });
  response.end(JSON.stringify(body));
}

/** Starts listening; returns the port. Throws `StartupError` if the address is not available. */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(port, host, resolve);
  try {
    await promise;
  } catch (error) {
    throw unavailable(error, host, port);
  }
  server.off("error", reject);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server listens on no port");
  return address.port;
}

function unavailable(error: unknown, host: string, port: number): unknown {
  switch (errorCode(error)) {
    case "EADDRINUSE":
      return new StartupError(
        `Port ${port} on ${host} is already in use; stop the program that uses it or set PORT to another.`,
      );
    case "EACCES":
      return new StartupError(`Port ${port} on ${host} requires more privileges; set PORT to one above 1023.`);
    case "EADDRNOTAVAIL":
      return new StartupError(`This machine does not have the address ${host}; set HOST to 127.0.0.1.`);
    default:
      return error;
  }
}

/** Stops accepting requests and waits for those in progress, a second at most. */
export async function closeFront(server: Server): Promise<void> {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearTimeout(timer);
}

/**
 * Next's internal headers for rendering, and those of server actions, which are not used here. Next removes some of
 * them itself, but not all.
 */
const INTERNAL = /^(x-(middleware|invoke|invocation|nextjs|next|now|matched|prerender|action|vercel)-|x-rsc|next-)/;

/** Headers of the browser's requests for parts of a page. */
const OF_PAGES = new Set([
  ...["next-router-state-tree", "next-router-prefetch", "next-router-segment-prefetch", "next-url"],
]);

/** The router's state in the browser. */
const ROUTER_STATE = "next-router-state-tree";

/** Removes headers that clients must not send to Next, and that Next would answer with a 500. */
function removeNextHeaders(headers: IncomingHttpHeaders): void {
  for (const name of Object.keys(headers)) if (INTERNAL.test(name) && !OF_PAGES.has(name)) delete headers[name];
  if (!isRouterState(headers[ROUTER_STATE])) delete headers[ROUTER_STATE];
}

function isRouterState(text: string | string[] | undefined): boolean {
  try {
    parseAndValidateFlightRouterState(text);
    return true;
  } catch {
    return false;
  }
}
