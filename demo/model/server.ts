import { randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import {
  type AnswerEvent,
  type AnswerItem,
  answerEvents,
  errorBody,
  eventFrame,
} from "../../lib/model/answer-writer.ts";
import { isJsonObject, type JsonObject } from "../../lib/session/json/json.ts";
import { readJson } from "../../lib/session/json/json-text.ts";
import { Chains } from "./chains.ts";
import { judge } from "./judgement.ts";
import { reply } from "./matcher.ts";
import { asksForJson, judgementIn, type ResponsesRequest, readRequest } from "./request.ts";
import { SCRIPT } from "./scenarios/scenarios.ts";
import { readTurn } from "./turn.ts";

/** A local model server that follows written scenarios. */
export interface ScriptedModel {
  /** The base URL, with `/v1`. */
  baseUrl: string;
  /** The model's name. */
  model: string;
  /** Created at each start: other programs and pages on this machine do not have it. */
  apiKey: string;
  close(): Promise<void>;
}

const MODEL = "obelus-scripted";

/** Larger than any of Obelus's requests. */
const LONGEST_BODY = 32 * 1024 * 1024;
const DEEPEST_BODY = 64;

/** About a word, so that streaming is visible. */
const DELTA = 8;

const NO_FORMATS =
  "this is the scripted model that Obelus ships for trying it out: it makes no plans and no results of tools. " +
  "Set OBELUS_MODEL to a real model for these";

/**
 * Starts the scripted model on the loopback interface: `POST /v1/responses`, streamed or not, and `GET /v1/models`, as
 * in the Responses API (D7). Port 0 uses a free one. `pace`: the delay per streamed word, in ms.
 */
export async function startScriptedModel({
  port = 0,
  pace = 0,
  logger,
}: {
  port?: number;
  pace?: number;
  logger: Logger;
}): Promise<ScriptedModel> {
  const chains = new Chains();
  const apiKey = randomBytes(32).toString("hex");
  const server = createServer((request, response) => {
    serve(request, response, { chains, pace, apiKey }).catch((error: unknown) => {
      // A client that disconnects during its own request is not an error.
      if (request.destroyed && !request.complete) return;
      logger.error({ err: error }, "The scripted model could not answer");
      if (response.headersSent) response.destroy();
      else refuse(response, 500, "The scripted model could not answer; the server's log says why", null);
    });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The scripted model listens on no port");
  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    model: MODEL,
    apiKey,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** What responses are made from. */
interface AnswerSettings {
  chains: Chains;
  pace: number;
  apiKey: string;
}

/** A page that reaches it under another name (DNS rebinding) is refused. */
const LOOPBACK = /^127\.0\.0\.1:\d{1,5}$/;

async function serve(request: IncomingMessage, response: ServerResponse, settings: AnswerSettings): Promise<void> {
  if (!LOOPBACK.test(request.headers.host ?? "")) return refuse(response, 403, "It is asked by 127.0.0.1 only", null);
  if (!hasKey(request, settings.apiKey)) return refuse(response, 401, "It answers this Obelus only", "invalid_api_key");
  const route = `${request.method} ${request.url?.split("?")[0]}`;
  if (route === "GET /v1/models") return answerJson(response, { object: "list", data: [MODEL_ENTRY] });
  if (route !== "POST /v1/responses") return refuse(response, 404, `There is no ${route} here`, null);
  const text = await bodyOf(request);
  if (text === null) return refuse(response, 413, "The request is too long", null);
  const body = readJson(text, DEEPEST_BODY, "as_written");
  if (!body.ok) return refuse(response, 400, `The body cannot be read: ${body.flaw.message}`, null);
  const read = readRequest(body.value);
  if (!read.ok) return refuse(response, 400, read.message, null, read.param);
  await respond(response, read.request, isJsonObject(body.value) ? body.value : {}, settings);
}

function hasKey({ headers }: IncomingMessage, apiKey: string): boolean {
  const [sent, known] = [Buffer.from(headers.authorization ?? ""), Buffer.from(`Bearer ${apiKey}`)];
  return sent.length === known.length && timingSafeEqual(sent, known);
}

const MODEL_ENTRY = { id: MODEL, object: "model", created: 1_780_000_000, owned_by: "obelus" };

/** Answers a request; responses repeat parts of its `body`. */
async function respond(
  response: ServerResponse,
  request: ResponsesRequest,
  body: JsonObject,
  { chains, pace }: AnswerSettings,
): Promise<void> {
  const { previous_response_id: previous, stream, store } = request;
  const before = previous ? chains.upTo(previous) : [];
  if (before === null) {
    const message = `Previous response with id '${previous}' not found.`;
    return refuse(response, 400, message, "previous_response_not_found", "previous_response_id");
  }
  const items = [...before, ...request.input];
  const answer = {
    id: `resp_${randomUUID()}`,
    created_at: Math.floor(Date.now() / 1_000),
    items: itemsOf({ ...request, input: items }),
    delta: DELTA,
  };
  const usage = usageOf({ instructions: request.instructions, items, tools: request.tools }, answer.items);
  const events = [...answerEvents({ ...answer, usage }, body)];
  const whole = events.at(-1)?.response;
  if (!isJsonObject(whole)) throw new Error("The answer's last event holds no response");
  if (store !== false && Array.isArray(whole.output)) {
    chains.keep(answer.id, [...items, ...whole.output.filter(isJsonObject)]);
  }
  if (!stream) return answerJson(response, whole);
  await speak(response, events, pace);
}

/** Streams a response with backpressure and at its pace; a disconnected client ends it. */
async function speak(response: ServerResponse, events: readonly AnswerEvent[], pace: number): Promise<void> {
  const left = new AbortController();
  const { signal } = left;
  response.once("close", () => left.abort());
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
  try {
    for (const [sequence_number, event] of events.entries()) {
      if (pace > 0 && event.type === "response.output_text.delta") await pause(pace, undefined, { signal });
      const goesOn = response.write(eventFrame(event.type, JSON.stringify({ ...event, sequence_number })));
      if (!goesOn) await once(response, "drain", { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  response.end();
}

/** The model's response. JSON is refused but for a judge's, because it only has texts. */
function itemsOf(request: ResponsesRequest): AnswerItem[] {
  const schema = judgementIn(request);
  if (schema) return [{ text: judge(schema, request.input) }];
  if (asksForJson(request)) return [{ refusal: NO_FORMATS }];
  const { instructions, input: items, tools } = request;
  const said = reply(readTurn({ instructions, items, tools }), SCRIPT, new Date());
  if ("text" in said) return [said];
  return said.calls.map(({ name, params }) => ({
    call_id: `call_${randomUUID()}`,
    name,
    arguments: JSON.stringify(params),
  }));
}

/** An estimate: four characters per token. */
function usageOf(read: object, written: readonly AnswerItem[]): JsonObject {
  const [input_tokens, output_tokens] = [read, written].map((part) => Math.ceil(JSON.stringify(part).length / 4));
  return {
    input_tokens: input_tokens ?? 0,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: output_tokens ?? 0,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: (input_tokens ?? 0) + (output_tokens ?? 0),
  };
}

/** The body as text; null when it is too long: it is still read to its end, so that the error arrives. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= LONGEST_BODY) chunks.push(chunk);
  }
  return size > LONGEST_BODY ? null : Buffer.concat(chunks).toString("utf8");
}

function answerJson(response: ServerResponse, value: JsonObject): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}

function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  code: string | null,
  param: string | null = null,
): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(errorBody(message, code, status < 500 ? "invalid_request_error" : "server_error", param));
}
