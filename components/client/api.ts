import type { PlanProblem } from "@/lib/plan/problem.ts";
import { watchAnswer } from "./signed-out.ts";

/** An API error: `application/problem+json`. */
interface Problem {
  status: number;
  code: string;
  detail: string;
  errors: { path: string; message: string }[];
  /** The problems of an invalid plan. */
  problems?: PlanProblem[];
  /** Seconds until a retry may succeed; null when unknown. */
  retry_after?: number | null;
}

/** The API refused the request. `message` can be shown to users. */
export class ApiProblem extends Error {
  override name = "ApiProblem";
  readonly status: number;
  /** The error code. */
  readonly code: string;
  /** The invalid fields, by JSON Pointer. */
  readonly errors: Problem["errors"];
  /** The problems of an invalid plan. */
  readonly problems: readonly PlanProblem[];
  /** Seconds until a retry may succeed; null when unknown. */
  readonly retryAfter: number | null;

  constructor(problem: Problem) {
    super(problem.detail);
    this.status = problem.status;
    this.code = problem.code;
    this.errors = problem.errors;
    this.problems = problem.problems ?? [];
    this.retryAfter = problem.retry_after ?? null;
  }
}

/** The server could not be reached, or the connection broke before the response. */
export class Unreachable extends Error {
  override name = "Unreachable";
}

type QueryValue = string | number | null | undefined;

interface Call {
  query?: Record<string, QueryValue>;
  method?: "GET" | "POST" | "PUT" | "DELETE";
  /** Sent as JSON. */
  body?: unknown;
  /** A JSON text, sent as it is, so that line numbers in an error match it. */
  text?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** An address with query parameters; null, undefined and empty ones are left out. */
export function addressOf(path: string, query: Record<string, QueryValue> = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "") params.set(name, String(value));
  }
  const text = params.toString();
  return text ? `${path}?${text}` : path;
}

async function problemOf(response: Response): Promise<ApiProblem> {
  const fallback = {
    status: response.status,
    code: "unknown",
    detail: `${response.status} ${response.statusText}`,
    errors: [],
    retry_after: Number(response.headers.get("retry-after")) || null,
  };
  if (!response.headers.get("content-type")?.includes("json")) return new ApiProblem(fallback);
  const told: Partial<Problem> & { title?: string } = await response.json();
  return new ApiProblem({ ...fallback, ...told, detail: told.detail ?? told.title ?? fallback.detail });
}

/**
 * Sends an API request and returns the response. Throws `ApiProblem` when the API refuses it and `Unreachable` without
 * a response; an abort is rethrown.
 */
export async function sendApi(
  path: string,
  { query, method = "GET", body, text, headers, signal }: Call = {},
): Promise<Response> {
  const sent = text ?? (body === undefined ? undefined : JSON.stringify(body));
  const noteAnswer = watchAnswer();
  const request = fetch(addressOf(path, query), {
    method,
    signal,
    headers: { ...(sent === undefined ? {} : { "content-type": "application/json" }), ...headers },
    body: sent,
  });
  const response = await request.catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    throw new Unreachable("The server does not answer", { cause });
  });
  noteAnswer(response.status);
  if (!response.ok) throw await problemOf(response);
  return response;
}

/**
 * Sends an API request and returns its JSON. `T` is the response type of the API, which has the same version as the
 * page. Throws as `sendApi`.
 */
export async function callApi<T>(path: string, call: Call = {}): Promise<T> {
  return (await sendApi(path, call)).json();
}
