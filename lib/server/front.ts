import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { Access } from "../access/access.ts";
import { type ProblemCode, problemBody } from "../api/problem.ts";
import { REQUESTER_HEADER, writeRequester } from "../api/requester.ts";
import { isMethod } from "../api/route.ts";
import { FILES } from "./compressed-files.ts";
import type { Guard } from "./guard.ts";
import { apiHeaders, fileHeaders, pageHeaders } from "./security-headers.ts";
import { errorCode, StartupError } from "./startup-error.ts";

interface FrontOptions {
  guard: Guard;
  access: Access;
  logger: Logger;
  stopping: AbortSignal;
  dev: boolean;
  /** Answers what the front lets through; requests that come before it is there wait for it. */
  pages: Promise<RequestListener>;
}

/** How long requests may still run once the server stops, in ms: what remains of the two seconds is for storage. */
const GRACE_MS = 1_000;

/** The HTTP server at the front: turns foreign requests away, sets the security headers and hands the rest to Next. */
export function createFront(options: FrontOptions): Server {
  // Only Next's development client speaks WebSocket. An upgraded connection would pass the guard and outlive the server.
  const server = createServer({ shouldUpgradeCallback: () => options.dev }, (request, response) => {
    response.once("close", () => {
      // A connection kept alive for a next request would hold the server open.
      if (options.stopping.aborted) setImmediate(() => server.closeIdleConnections());
    });
    answer(request, response, options).catch((error) => {
      options.logger.error({ err: error, url: request.url }, "A request failed before it was answered");
      if (response.headersSent) response.destroy();
      else refuse(response, "internal", "Something broke on the server; its log tells what.");
    });
  });
  // An import of 512 MB may take longer than Node's five minutes for a request; slow headers are still cut off.
  server.requestTimeout = 0;
  // Longer than the minute that proxies and clients keep an idle connection: else it ends as they use it again.
  server.keepAliveTimeout = 65_000;
  return server;
}

async function answer(request: IncomingMessage, response: ServerResponse, options: FrontOptions): Promise<void> {
  const { guard, logger, stopping, dev, pages } = options;
  const url = request.url ?? "/";
  const started = performance.now();
  response.once("finish", () => {
    const ms = Math.round(performance.now() - started);
    logger.debug({ method: request.method, url, status: response.statusCode, ms }, "request");
  });

  const headers = headersFor(url, dev);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  request.headers["content-security-policy"] = headers["content-security-policy"];

  const refusal = guard(request);
  if (refusal) return refuse(response, refusal.code, refusal.detail);
  if (!isMethod(request.method))
    return refuse(response, "method_not_allowed", `${request.method} is not possible here.`);
  if (!url.startsWith("/"))
    return refuse(response, "invalid_input", `The address ${url} is not a path; send one that begins with /.`);
  if (!isDecodable(url))
    return refuse(
      response,
      "invalid_input",
      "The address is not valid: a % in it does not begin an encoded character.",
    );
  if (stopping.aborted) return refuse(response, "unavailable", "The server is stopping; send it again in a moment.");
  const requester = {
    caller: await options.access.callerOf(request),
    address: request.socket.remoteAddress ?? "",
    request_id: randomUUID(),
  };
  request.headers[REQUESTER_HEADER] = writeRequester(requester);
  (await pages)(request, response);
}

function headersFor(url: string, dev: boolean): Record<string, string> {
  if (isApi(url)) return apiHeaders();
  // Next's development client evaluates code in workers, too.
  return url.startsWith(FILES) && !dev ? fileHeaders() : pageHeaders(dev);
}

function isApi(url: string): boolean {
  // OTLP has an address of its own.
  return /^\/(api|v1)(\/|\?|$)/.test(url);
}

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url);
    return true;
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}

function refuse(response: ServerResponse, code: ProblemCode, detail: string): void {
  const body = problemBody(code, detail);
  response.writeHead(body.status, { "content-type": "application/problem+json" });
  response.end(JSON.stringify(body));
}

/** Begins to listen and tells the port. Throws `StartupError` when the address cannot be had. */
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
        `Port ${port} on ${host} is taken; stop the program that uses it or set PORT to another.`,
      );
    case "EACCES":
      return new StartupError(
        `Port ${port} on ${host} needs more rights than this user has; set PORT to one above 1023.`,
      );
    case "EADDRNOTAVAIL":
      return new StartupError(`This machine does not have the address ${host}; set HOST to 127.0.0.1.`);
    default:
      return error;
  }
}

/** Takes no more requests and waits, a second at most, for those that still run. */
export async function closeFront(server: Server): Promise<void> {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearTimeout(timer);
}
