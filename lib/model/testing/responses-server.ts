import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { Chains } from "../../../demo/model/chains.ts";
import { isJsonObject, type JsonObject } from "../../session/json/json.ts";
import { type AnswerEvent, type AnswerItem, answerEvents, errorBody, eventFrame } from "../answer-writer.ts";
import type { ModelApi } from "../wire.ts";
import { asResponsesRequest, chunksOf } from "./chat-completions.ts";

/** The response to a request. */
export type Answer =
  | Streamed
  | Failed
  /** Accepts the request and does not respond. */
  | { silent: true };

/** An HTTP error in the API's format. */
interface Failed {
  status: number;
  code?: string;
  message?: string;
  headers?: Record<string, string>;
}

interface Streamed {
  items: AnswerItem[];
  /** Characters per delta; all by default. */
  delta?: number;
  /** Bytes per write; an event by default. */
  bytes?: number;
  /** Ends as `response.incomplete` with this reason. */
  incomplete?: string;
  /** Ends as `response.failed`. */
  failed?: { code: string; message: string };
  /** Awaited before each event, so that a test can block the stream. */
  before?: (type: string, sequence: number) => Promise<void> | void;
  /** Closes the connection before this event. */
  cut?: string;
  /** Leaves this event out. */
  drop?: string;
  /** Replaces this event's data. */
  garble?: { type: string; data: string };
}

/** A received request. */
export interface Received {
  headers: IncomingHttpHeaders;
  body: JsonObject;
  api: ModelApi;
  /** The request in the terms of the Responses API. */
  asked: JsonObject;
  /** The connection was closed before the response was complete. */
  aborted: Promise<void>;
}

/**
 * A local server with the Responses API, chat completions and given responses. It continues from responses that it was
 * asked to store (D7).
 */
export interface ResponsesServer {
  /** The base URL for the client, with `/v1`. */
  baseUrl: string;
  requests: Received[];
  /** Responses for the next requests. */
  queue(...answers: Answer[]): void;
  /** Deletes all stored responses. */
  forget(): void;
  close(): Promise<void>;
}

/**
 * Starts a server on a free port of localhost. `answerFor` creates responses when the queue is empty: for a request
 * that continues from a response, it gets the whole input.
 */
export async function startResponsesServer(answerFor: (body: JsonObject) => Answer = refuse): Promise<ResponsesServer> {
  const answers: Answer[] = [];
  const requests: Received[] = [];
  let chains = new Chains();
  let count = 0;
  const answer = (body: JsonObject): Served => {
    const { input, previous_response_id: previous, store } = body;
    const before = typeof previous === "string" ? chains.upTo(previous) : [];
    if (before === null) return { answer: forgotten(String(previous)) };
    const items = [...before, ...(Array.isArray(input) ? input.filter(isJsonObject) : [])];
    count += 1;
    const id = `resp_${count}`;
    const keep = (output: readonly JsonObject[]) => store === true && chains.keep(id, [...items, ...output]);
    return { answer: answers.shift() ?? answerFor({ ...body, input: items }), id, keep };
  };
  const server = createServer((request, response) => {
    void respond(request, response, answer, requests).catch((error: unknown) => response.destroy(asError(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server listens on no port");
  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    requests,
    queue: (...more) => void answers.push(...more),
    forget: () => {
      chains = new Chains();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The response to a request, and what is stored of it. */
interface Served {
  answer: Answer;
  /** The response's id. */
  id?: string;
  keep?(output: readonly JsonObject[]): void;
}

/** The API's error for a deleted response. */
function forgotten(id: string): Answer {
  return { status: 400, code: "previous_response_not_found", message: `Previous response with id '${id}' not found.` };
}

/** A 500 that is not retried. */
function refuse(): Answer {
  return { status: 500, message: "The test has queued no answer", headers: { "x-should-retry": "false" } };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answerFor: (body: JsonObject) => Served,
  requests: Received[],
) {
  const aborted = new Promise<void>((resolve) => response.on("close", () => response.writableFinished || resolve()));
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const api = APIS.get(`${request.method} ${request.url}`);
  if (api === undefined) return fail(response, { status: 404 });
  const body: JsonObject = JSON.parse(Buffer.concat(chunks).toString());
  const asked = api === "chat" ? asResponsesRequest(body) : body;
  requests.push({ headers: request.headers, body, api, asked, aborted });
  const { answer, id, keep } = answerFor(asked);
  if ("silent" in answer) return;
  if ("status" in answer) return fail(response, answer);
  await stream(response, { ...HEAD, ...(id && { id }), ...answer }, { api, asked, keep });
}

const APIS: ReadonlyMap<string, ModelApi> = new Map([
  ["POST /v1/responses", "responses"],
  ["POST /v1/chat/completions", "chat"],
]);

function fail(response: ServerResponse, { status, code, message = "", headers = {} }: Failed) {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(errorBody(message, code ?? null));
}

async function stream(
  response: ServerResponse,
  answer: Streamed & typeof HEAD,
  { api, asked, keep }: Pick<Received, "api" | "asked"> & Pick<Served, "keep">,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
  let sequence = 0;
  for (const event of answerEvents(answer, asked)) {
    const whole = event.response;
    // Before the client can read it, as it may continue from it at once.
    if (event.type === "response.completed" && isJsonObject(whole) && Array.isArray(whole.output))
      keep?.(whole.output.filter(isJsonObject));
    await answer.before?.(event.type, sequence);
    if (response.destroyed) return;
    if (answer.cut === event.type) {
      response.destroy();
      return;
    }
    if (answer.drop === event.type) continue;
    const { garble } = answer;
    const frames =
      garble?.type === event.type ? frame(api, event.type, garble.data) : framesOf(api, event, asked, sequence);
    const bytes = Buffer.from(frames);
    const size = answer.bytes ?? bytes.length;
    for (let at = 0; at < bytes.length; at += size) {
      await new Promise((resolve) => response.write(bytes.subarray(at, at + size), resolve));
    }
    sequence++;
  }
  response.end();
}

function framesOf(api: ModelApi, event: AnswerEvent, asked: JsonObject, sequence_number: number): string {
  if (api === "responses") return frame(api, event.type, JSON.stringify({ ...event, sequence_number }));
  return chunksOf(event, asked)
    .map((data) => frame(api, event.type, data))
    .join("");
}

function frame(api: ModelApi, type: string, data: string): string {
  return api === "responses" ? eventFrame(type, data) : `data: ${data}\n\n`;
}

/** The token usage in every complete response. */
export const USAGE = {
  input_tokens: 120,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 45,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 165,
};

const HEAD = { id: "resp_1", created_at: 1_780_000_000, usage: USAGE };

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
