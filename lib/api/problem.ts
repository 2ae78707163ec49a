import type { PlanProblem } from "../plan/problem.ts";
import type { ChangedRequest } from "./changed-request.ts";

/** All error codes of the API, with their status. */
export const PROBLEM_CODES = {
  invalid_input: 400,
  malformed_json: 400,
  bad_encoding: 400,
  too_deep: 400,
  bad_cursor: 400,
  out_of_range: 400,
  unauthorized: 401,
  foreign_host: 403,
  foreign_origin: 403,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  body_timeout: 408,
  conflict: 409,
  stale: 412,
  too_large: 413,
  too_many: 413,
  unsupported_media_type: 415,
  invalid_plan: 422,
  limit_too_small: 422,
  too_many_requests: 429,
  internal: 500,
  storage_full: 503,
  storage_damaged: 503,
  unavailable: 503,
} as const;

export type ProblemCode = keyof typeof PROBLEM_CODES;

const TITLES: Record<number, string> = {
  400: "Bad request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not found",
  405: "Method not allowed",
  408: "Request timeout",
  409: "Conflict",
  412: "Precondition failed",
  413: "Content too large",
  415: "Unsupported media type",
  422: "Unprocessable content",
  429: "Too many requests",
  500: "Internal server error",
  503: "Service unavailable",
};

/** An error in the input: its JSON Pointer (`/3/type`) and what is wrong. */
export interface FieldError {
  path: string;
  message: string;
}

/** The body of an error, `application/problem+json` (E10). */
export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  code: ProblemCode;
  detail: string;
  errors?: FieldError[];
  /** The problems of an invalid plan (P16). */
  problems?: PlanProblem[];
  /** For a decision about a replaced request: what the caller saw, and the current one. */
  changed?: ChangedRequest;
}

/** Additional fields of a problem. */
export interface ProblemDetails {
  errors?: FieldError[];
  problems?: PlanProblem[];
  changed?: ChangedRequest;
}

export function problemBody(
  code: ProblemCode,
  detail: string,
  { errors, problems, changed }: ProblemDetails = {},
): ProblemBody {
  const status = PROBLEM_CODES[code];
  return {
    type: `urn:obelus:problem:${code}`,
    title: TITLES[status] ?? "Error",
    status,
    code,
    detail,
    ...(errors && { errors }),
    ...(problems && { problems }),
    ...(changed && { changed }),
  };
}

/** An error that becomes the response of a request. `detail` is a sentence with the remedy. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly errors: FieldError[] | undefined;
  readonly problems: PlanProblem[] | undefined;
  readonly changed: ChangedRequest | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ProblemCode, detail: string, options: ProblemDetails & { headers?: Record<string, string> } = {}) {
    super(detail);
    this.name = "Problem";
    this.code = code;
    this.errors = options.errors;
    this.problems = options.problems;
    this.changed = options.changed;
    this.headers = options.headers ?? {};
  }

  response(): Response {
    const { errors, problems, changed } = this;
    const body = problemBody(this.code, this.message, {
      ...(errors && { errors }),
      ...(problems && { problems }),
      ...(changed && { changed }),
    });
    return new Response(JSON.stringify(body), {
      status: body.status,
      headers: { "content-type": "application/problem+json", "cache-control": "no-store", ...this.headers },
    });
  }
}
