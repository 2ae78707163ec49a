import { pointer } from "../intake/issues.ts";
import type { Services } from "../server/services.ts";
import type { Operation } from "./operation.ts";
import { Problem, type ProblemCode } from "./problem.ts";

const METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Tells whether a route can be asked for this method: Next has no answer for the others. */
export function isMethod(method: string | undefined): boolean {
  return METHODS.some((known) => known === method);
}

type Handler = (
  request: Request,
  context: { params: Promise<Record<string, string | string[] | undefined> | undefined> },
) => Promise<Response>;

/**
 * Wraps the operations of one address into the handlers of its route file. Every route goes through here, so that
 * whatever goes wrong is answered as a problem (E10): input 4xx, a broken invariant 500, logged with its cause.
 */
export function route(services: () => Services, ...operations: Operation[]): Record<(typeof METHODS)[number], Handler> {
  const allow = METHODS.filter((method) => method === "OPTIONS" || find(operations, method)).join(", ");
  const handler: Handler = async (request, context) => {
    try {
      if (operations.length > 0 && request.method === "OPTIONS")
        return new Response(null, { status: 204, headers: { allow } });
      const operation = find(operations, request.method);
      if (operations.length === 0) throw unknownAddress(request);
      if (!operation) {
        throw new Problem(
          "method_not_allowed",
          `${request.method} is not possible here; this address takes ${allow}.`,
          {
            headers: { allow },
          },
        );
      }
      const response = await operation.answer(request, (await context.params) ?? {}, services());
      return request.method === "HEAD" ? withoutBody(response) : response;
    } catch (error) {
      return problemOf(error, request, services()).response();
    }
  };
  return {
    GET: handler,
    HEAD: handler,
    OPTIONS: handler,
    POST: handler,
    PUT: handler,
    PATCH: handler,
    DELETE: handler,
  };
}

/** A route without operations stands for all addresses that the others leave. */
function unknownAddress(request: Request): Problem {
  const { pathname } = new URL(request.url);
  return new Problem("not_found", `There is nothing at ${pathname}; /api/openapi.json lists what there is.`);
}

function find(operations: Operation[], method: string): Operation | undefined {
  return operations.find((operation) => operation.method === (method === "HEAD" ? "GET" : method));
}

async function withoutBody(response: Response): Promise<Response> {
  await response.body?.cancel();
  return new Response(null, response);
}

function problemOf(error: unknown, request: Request, services: Services): Problem {
  if (error instanceof Problem) return error;
  if (isRefusal(error)) {
    const path = placeOf(error);
    return new Problem(REFUSALS[error.code], `${error.message}.`, {
      ...(path !== null && { errors: [{ path, message: error.message }] }),
      ...(error.code === "storage_full" && { headers: { "retry-after": "10" } }),
    });
  }
  // The client has gone: nobody reads the answer, and nothing is wrong here.
  if (request.signal.aborted) return new Problem("unavailable", "The request was given up.");
  if (services.stopping.aborted)
    return new Problem("unavailable", "The server is stopping; send it again in a moment.");
  services.logger.error({ err: error, method: request.method, url: request.url }, "A request failed");
  return new Problem("internal", "Something broke on the server; its log tells what.");
}

/** What storage refuses, by its code. By code and not by class: Next's bundles and the server load `db/errors.ts` twice. */
const REFUSALS = {
  conflict: "conflict",
  stale: "stale",
  out_of_range: "out_of_range",
  bad_cursor: "bad_cursor",
  storage_full: "storage_full",
} as const satisfies Record<string, ProblemCode>;

/** The place in the input that storage refused; null when it was not the input. */
function placeOf(error: Refusal): string | null {
  switch (error.code) {
    case "conflict":
      return "index" in error && typeof error.index === "number" ? pointer([error.index]) : null;
    case "out_of_range":
      return "/at";
    case "bad_cursor":
      return "/cursor";
    case "stale":
    case "storage_full":
      return null;
    default:
      return error.code satisfies never;
  }
}

type Refusal = Error & { code: keyof typeof REFUSALS };

function isRefusal(error: unknown): error is Refusal {
  return (
    error instanceof Error && "code" in error && typeof error.code === "string" && Object.hasOwn(REFUSALS, error.code)
  );
}
