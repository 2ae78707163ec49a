import { watchAnswer } from "./signed-out.ts";

/** An error as the API tells it: `application/problem+json`. */
interface Problem {
  status: number;
  code: string;
  detail: string;
  errors: { path: string; message: string }[];
  /** After so many seconds it may be tried again; null where nothing is said of it. */
  retry_after?: number | null;
}

/** The API said no. `message` is its sentence, fit to be shown. */
export class ApiProblem extends Error {
  override name = "ApiProblem";
  readonly status: number;
  /** The API's word for what is wrong, for programs. */
  readonly code: string;
  /** Each bad field, by JSON Pointer. */
  readonly errors: Problem["errors"];
  /** After so many seconds it may be tried again; null where nothing is said of it. */
  readonly retryAfter: number | null;

  constructor(problem: Problem) {
    super(problem.detail);
    this.status = problem.status;
    this.code = problem.code;
    this.errors = problem.errors;
    this.retryAfter = problem.retry_after ?? null;
  }
}

/** The server could not be reached, or the connection broke before it had answered. */
export class Unreachable extends Error {
  override name = "Unreachable";
}

type QueryValue = string | number | null | undefined;

interface Call {
  query?: Record<string, QueryValue>;
  method?: "GET" | "POST" | "PUT" | "DELETE";
  /** Sent as JSON. */
  body?: unknown;
  /** JSON that somebody wrote, sent as it is: what the answer says of its lines holds. */
  text?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** An address with query parameters; what is null, undefined or empty is left out. */
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
 * Asks the API and gives its answer whole. Throws `ApiProblem` when it refuses, `Unreachable` when it does not answer;
 * an abort passes through.
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
 * Asks the API for JSON. `T` is the answer's shape by the API's contract: this is the server the page came from. Throws
 * what `sendApi` throws.
 */
export async function callApi<T>(path: string, call: Call = {}): Promise<T> {
  return (await sendApi(path, call)).json();
}
