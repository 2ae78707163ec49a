import { z } from "zod";
import { actorOf } from "../access/caller.ts";
import { pointerTo } from "../plan/problem.ts";
import type { Services } from "../server/services.ts";
import { planProblem } from "./answers/plan-answers.ts";
import type { Operation } from "./operation.ts";
import { Problem, type ProblemCode, type ProblemDetails } from "./problem.ts";
import type { ApiRequest } from "./request/api-request.ts";
import { internalErrorSentence, permit, requesterOf } from "./request/requester.ts";

const METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Whether a method is supported: Next does not respond to others. */
export function isMethod(method: string | undefined): boolean {
  return METHODS.some((known) => known === method);
}

/** Responds to a request of any method, as a route handler of Next. */
export type Handler = (
  request: ApiRequest,
  context: { params: Promise<Record<string, string | string[] | undefined> | undefined> },
) => Promise<Response>;

/**
 * Creates the handler of a path from its operations, one per method. Every route uses it, so that every error becomes a
 * problem+json response (E10): invalid input 4xx; a broken invariant 500, logged with its cause.
 */
export function route(services: () => Services, ...operations: Operation[]): Handler {
  const allow = METHODS.filter((method) => method === "OPTIONS" || find(operations, method)).join(", ");
  return async (request, context) => {
    const operation = find(operations, request.method);
    try {
      if (operations.length > 0 && request.method === "OPTIONS")
        return new Response(null, { status: 204, headers: { allow } });
      if (operations.length === 0) {
        permit(requesterOf(request.headers).caller, "read");
        throw unknownAddress(request);
      }
      if (!operation) {
        throw new Problem("method_not_allowed", `The method ${request.method} is not allowed here; use ${allow}.`, {
          headers: { allow },
        });
      }
      const response = await operation.answer(request, (await context.params) ?? {}, services());
      return request.method === "HEAD" ? withoutBody(response) : response;
    } catch (error) {
      const problem = problemOf(error, request, services());
      return operation?.refuse?.(problem, request) ?? problem.response();
    }
  };
}

/** A route without operations is the catch-all of paths that no other route has. */
function unknownAddress(request: ApiRequest): Problem {
  const { pathname } = new URL(request.url);
  return new Problem("not_found", `There is nothing at ${pathname}; see /api/openapi.json.`);
}

function find(operations: Operation[], method: string): Operation | undefined {
  return operations.find((operation) => operation.method === (method === "HEAD" ? "GET" : method));
}

async function withoutBody(response: Response): Promise<Response> {
  await response.body?.cancel();
  return new Response(null, response);
}

function problemOf(error: unknown, request: ApiRequest, services: Services): Problem {
  if (error instanceof Problem) return error;
  if (isRefusal(error)) {
    return new Problem(REFUSALS[error.code], `${error.message}.`, {
      ...detailsOf(error),
      ...(RETRY_AFTER_S.has(error.code) && { headers: { "retry-after": String(RETRY_AFTER_S.get(error.code)) } }),
      ...(error.code === "rights_ended" && { headers: { "www-authenticate": "Bearer" } }),
    });
  }
  // The client has disconnected: nobody reads the response, and nothing is wrong.
  if (request.signal.aborted) return new Problem("unavailable", "The request was aborted.");
  if (services.stopping.aborted) return new Problem("unavailable", "The server is stopping; retry in a moment.");
  const { request_id, caller } = requesterOf(request.headers);
  if (isOutOfFiles(error)) {
    services.logger.warn({ err: error, request_id }, "Too many open files: raise the limit (ulimit -n)");
    return new Problem("unavailable", OUT_OF_FILES, { headers: { "retry-after": String(OUT_OF_FILES_S) } });
  }
  const { method } = request;
  // Without the query, which may contain search terms.
  const { pathname: path } = new URL(request.url);
  services.logger.error({ err: error, request_id, method, path, actor: actorOf(caller) }, "A request failed");
  return new Problem("internal", internalErrorSentence(request_id));
}

const OUT_OF_FILES =
  "The server has too many open files and connections; retry in a moment, and raise the limit of open files (ulimit -n) if this persists.";
const OUT_OF_FILES_S = 5;

/** By message: errors of threads and SQLite have lost their code. */
function isOutOfFiles(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return /\bE[MN]FILE\b|unable to open database file/.test(error.message) || isOutOfFiles(error.cause);
}

/**
 * Errors of storage, engine and access, by code. Not by class: Next's bundles and the server load `db/errors.ts` and
 * `lib/engine/errors.ts` twice.
 */
const REFUSALS = {
  not_found: "not_found",
  invalid_input: "invalid_input",
  invalid_plan: "invalid_plan",
  limit_too_small: "limit_too_small",
  prompt_too_long: "too_large",
  conflict: "conflict",
  unreadable_memory: "conflict",
  stale: "stale",
  out_of_range: "out_of_range",
  not_made: "unavailable",
  bad_cursor: "bad_cursor",
  storage_full: "storage_full",
  storage_damaged: "storage_damaged",
  storage_unreachable: "unavailable",
  plan_too_long: "too_large",
  too_many_plans: "too_many_requests",
  too_many_runs: "too_many_requests",
  halted: "unavailable",
  rights_ended: "unauthorized",
} as const satisfies Record<string, ProblemCode>;

/** Retry-After of refusals under load. */
const RETRY_AFTER_S: ReadonlyMap<string, number> = new Map([
  ["storage_full", 10],
  ["storage_unreachable", 2],
  ["not_made", 1],
  ["too_many_plans", 5],
  ["too_many_runs", 5],
  ["halted", 5],
]);

/** Additional fields of a refusal: fields of the input, or problems of the plan. */
function detailsOf(error: Refusal): ProblemDetails {
  const at = (path: string): ProblemDetails => ({ errors: [{ path, message: error.message }] });
  switch (error.code) {
    case "conflict":
      return "index" in error && typeof error.index === "number" ? at(pointerTo([error.index])) : {};
    case "out_of_range":
      return at("field" in error && error.field === "seq" ? "/seq" : "/at");
    case "bad_cursor":
      return at("/cursor");
    case "limit_too_small":
      return at("limit" in error && typeof error.limit === "string" ? `/limits/${error.limit}` : "/limits");
    case "invalid_input":
      return { errors: invalidInput.parse(error).faults };
    case "invalid_plan":
      return { problems: invalidPlan.parse(error).problems };
    case "not_found":
    case "not_made":
    case "unreadable_memory":
    case "stale":
    case "storage_full":
    case "storage_damaged":
    case "storage_unreachable":
    case "prompt_too_long":
    case "plan_too_long":
    case "too_many_plans":
    case "too_many_runs":
    case "halted":
    case "rights_ended":
      return {};
    default:
      return error.code satisfies never;
  }
}

/** The fields of the engine's errors, which cannot be identified by class, see above. */
const invalidInput = z.object({ faults: z.array(z.object({ path: z.string(), message: z.string() })) });
const invalidPlan = z.object({ problems: z.array(planProblem) });

type Refusal = Error & { code: keyof typeof REFUSALS };

function isRefusal(error: unknown): error is Refusal {
  return (
    error instanceof Error && "code" in error && typeof error.code === "string" && Object.hasOwn(REFUSALS, error.code)
  );
}
