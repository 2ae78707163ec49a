import { z } from "zod";
import type { Deed } from "../access/audit.ts";
import type { Permission, Requester } from "../access/caller.ts";
import { yieldToOthers } from "../event-loop/yielding.ts";
import { pointerTo } from "../plan/problem.ts";
import type { Services } from "../server/services.ts";
import type { Json } from "../session/json/json.ts";
import type { ApiHeaders, ApiRequest } from "./api-request.ts";
import { readJson } from "./body.ts";
import type { Problem } from "./problem.ts";
import { permit, requesterOf } from "./requester.ts";
import { invalidInput, parse } from "./sentences.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** How a body is read, and what the documentation says of it. */
export interface Body<B> {
  /** Reads and checks the body. Throws a `Problem` when it does not hold. */
  read(request: ApiRequest): Promise<B>;
  /** The media types that are taken, each with its schema; null where it is not JSON that a schema describes. */
  content: Record<string, z.ZodType | null>;
  /** It may be left out. */
  optional?: true;
}

/** One kind of answer, for the documentation. */
export interface Answer {
  description: string;
  /** The body's media type; `application/json` by default. */
  type?: string;
  /** The body's schema; without one there is no body, or it is not JSON. */
  schema?: z.ZodType;
}

/** What an operation's function is given: all of it checked. */
export interface Input<P, Q, B> {
  params: P;
  query: Q;
  body: B;
  headers: ApiHeaders;
  /** Who asks, and from where. */
  requester: Requester;
  /** Writes into the audit what they did, once it is done. */
  audit(deed: Deed): Promise<void>;
  /** Aborts when the client goes away, the caller's rights end or the server stops. */
  signal: AbortSignal;
}

interface Definition<P, Q, B> {
  /** Its name in the documentation: `listConversations`. */
  name: string;
  method: Method;
  /** `/api/conversations/{id}`. */
  path: string;
  summary: string;
  /** What it asks of its caller. */
  permission: Permission;
  params: z.ZodType<P>;
  query: z.ZodType<Q>;
  body: Body<B>;
  /** Request headers it reads, with their meaning. */
  headers?: Record<string, string>;
  answers: Record<number, Answer>;
  /** Overrides the problem+json response of errors, for protocols that need another format. */
  refuse?(problem: Problem, request: ApiRequest): Response;
  run(input: Input<P, Q, B>, services: Services): Promise<Response>;
}

/** An operation of the API. Routes run it, and OpenAPI is generated from it. */
export interface Operation extends Omit<Definition<unknown, unknown, unknown>, "run"> {
  /** Checks permission, parameters, query and body (E10), then responds. Throws a `Problem` for invalid input. */
  answer(request: ApiRequest, params: Record<string, unknown>, services: Services): Promise<Response>;
}

/** Creates an operation from its schemas and its function. */
export function operation<P, Q, B>(definition: Definition<P, Q, B>): Operation {
  const { run, ...described } = definition;
  return {
    ...described,
    async answer(request, params, services) {
      const requester = requesterOf(request.headers);
      permit(requester.caller, definition.permission);
      const input = {
        params: parse(definition.params, params),
        query: parse(definition.query, queryOf(request)),
        body: await definition.body.read(request),
        headers: request.headers,
        requester,
        audit: (deed: Deed) => services.audit.append(deed, requester),
        // A getter: only long operations use it, and AbortSignal.any is not free.
        get signal() {
          return AbortSignal.any([request.signal, services.stopping, services.access.ended(requester.caller)]);
        },
      };
      // Checked again after the body has arrived: the key may have been revoked during a slow upload.
      if (definition.body !== noBody) await services.access.checkRights(requester.caller);
      return run(input, services);
    },
  };
}

/** For operations without parameters in their path. */
export const noParams = z.object({});

/** For operations without a query; unknown parameters are errors. */
export const noQuery = z.strictObject({});

/** For operations without a body. */
export const noBody: Body<null> = { read: async () => null, content: {} };

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
  if (performance.now() - began > LONG_CHECK_MS) await yieldToOthers();
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
