import { z } from "zod";
import type { AuditedAction } from "../access/audit.ts";
import type { Permission, Requester } from "../access/caller.ts";
import { yieldToEventLoop } from "../event-loop/yielding.ts";
import { pointerTo } from "../plan/problem.ts";
import type { Services } from "../server/services.ts";
import type { Json } from "../session/json/json.ts";
import type { Problem } from "./problem.ts";
import type { ApiHeaders, ApiRequest } from "./request/api-request.ts";
import { readJson } from "./request/body.ts";
import { permit, requesterOf } from "./request/requester.ts";
import { invalidInput, parse } from "./sentences.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** How a body is read and documented. */
export interface Body<B> {
  /** Reads and validates the body. Throws a `Problem` if it is invalid. */
  read(request: ApiRequest): Promise<B>;
  /** The accepted media types with their schemas; null if it is not described by a JSON Schema. */
  content: Record<string, z.ZodType | null>;
  /** It may be left out. */
  optional?: true;
}

/** A response, for the documentation. */
export interface Answer {
  description: string;
  /** The media type; `application/json` by default. */
  type?: string;
  /** The body's schema; without one there is no body, or it is not JSON. */
  schema?: z.ZodType;
}

/** The validated input of an operation. */
export interface Input<P, Q, B> {
  params: P;
  query: Q;
  body: B;
  headers: ApiHeaders;
  /** The caller and their address. */
  requester: Requester;
  /** Appends an audit entry, after the action. */
  audit(action: AuditedAction): Promise<void>;
  /** Aborts when the client disconnects, the caller's permissions end or the server stops. */
  signal: AbortSignal;
}

interface Definition<P, Q, B> {
  /** Its operationId: `listConversations`. */
  name: string;
  method: Method;
  /** `/api/conversations/{id}`. */
  path: string;
  summary: string;
  /** The required permission. */
  permission: Permission;
  /** By default there are no parameters, no query, and no body. */
  params?: z.ZodType<P>;
  query?: z.ZodType<Q>;
  body?: Body<B>;
  /** Request headers that it reads, with descriptions. */
  headers?: Record<string, string>;
  answers: Record<number, Answer>;
  /** Overrides the problem+json response of errors, for protocols that need another format. */
  refuse?(problem: Problem, request: ApiRequest): Response;
  run(input: Input<P, Q, B>, services: Services): Promise<Response>;
}

/** An operation of the API. Routes run it, and OpenAPI is generated from it. */
export interface Operation extends Omit<Definition<unknown, unknown, unknown>, "run"> {
  params: z.ZodType;
  query: z.ZodType;
  body: Body<unknown>;
  /** Checks permission, parameters, query and body (E10), then responds. Throws a `Problem` for invalid input. */
  answer(request: ApiRequest, params: Record<string, unknown>, services: Services): Promise<Response>;
}

/** Creates an operation from its schemas and its function. */
export function operation<P = unknown, Q = unknown, B = null>(definition: Definition<P, Q, B>): Operation;
export function operation({ run, ...given }: Definition<unknown, unknown, unknown>): Operation {
  const described = { params: noParams, query: noQuery, body: noBody, ...given };
  return {
    ...described,
    async answer(request, params, services) {
      const requester = requesterOf(request.headers);
      permit(requester.caller, given.permission);
      const input = {
        params: parse(described.params, params),
        query: parse(described.query, queryOf(request)),
        body: await described.body.read(request),
        headers: request.headers,
        requester,
        audit: (action: AuditedAction) => services.audit.append(action, requester),
        // A getter: only long operations use it, and AbortSignal.any is not free.
        get signal() {
          return AbortSignal.any([request.signal, services.stopping, services.access.ended(requester.caller)]);
        },
      };
      // Checked again after the body has arrived: the key may have been revoked during a slow upload.
      if (described.body !== noBody) await services.access.checkRights(requester.caller);
      return run(input, services);
    },
  };
}

const noParams = z.object({});

/** Unknown parameters are errors. */
const noQuery = z.strictObject({});

const noBody: Body<null> = { read: async () => null, content: {} };

/** A body of one JSON value. */
export function jsonBody<B>(schema: z.ZodType<B>): Body<B> {
  return {
    content: { "application/json": schema },
    read: async (request) => parseInParts(schema, await readJson(request)),
  };
}

/** An optional body of one JSON object; without a body it is `{}`. */
export function optionalJsonBody<B>(schema: z.ZodType<B>): Body<B> {
  return {
    ...jsonBody(schema),
    optional: true,
    read: async (request) => parseInParts(schema, hasBody(request) ? await readJson(request) : {}),
  };
}

/** Yields to other requests after a check that took long. */
async function parseInParts<B>(schema: z.ZodType<B>, body: Json): Promise<B> {
  const began = performance.now();
  const parsed = parse(schema, body);
  if (performance.now() - began > LONG_CHECK_MS) await yieldToEventLoop();
  return parsed;
}

const LONG_CHECK_MS = 10;

function hasBody({ headers }: ApiRequest): boolean {
  const length = headers.get("content-length");
  return length === null ? headers.has("transfer-encoding") : length !== "0";
}

/** The query's parameters. Throws `invalid_input` when one is given twice. */
function queryOf(request: ApiRequest): Record<string, string> {
  if (!request.url.includes("?")) return {};
  const { searchParams } = new URL(request.url);
  const given = new Set<string>();
  for (const name of searchParams.keys()) {
    if (given.has(name)) throw invalidInput([{ path: pointerTo([name]), message: "must be given once" }]);
    given.add(name);
  }
  return Object.fromEntries(searchParams);
}
