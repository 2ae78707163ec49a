import type { Egress } from "../../outgoing/egress.ts";
import { AnswerTooLarge } from "../../outgoing/fetch.ts";
import { printContext } from "../../plan/context.ts";
import type { DataMessage } from "../../plan/message.ts";
import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import { readJson } from "../../session/json/json-text.ts";
import { LARGEST_RESULT } from "../result-bounds.ts";
import { type Activity, type ActivityCall, ActivityError, Choice, readChoice } from "./activity.ts";
import type { RefuseHost } from "./http/allowed-hosts.ts";
import { readAnswer } from "./http/answer.ts";
import { bodyWithin, ExchangeError, exchange, type Incoming } from "./http/exchange.ts";
import { failureOf, failureWithoutAnswer } from "./http/failure.ts";
import { openHeader, type SecretPlace } from "./http/headers.ts";
import type { Sealing } from "./sealing.ts";
import type { HttpActivity } from "./tool-definition.ts";
import type { Handler } from "./tools.ts";

/** What HTTP itself calls idempotent, besides OPTIONS and the like. */
const IDEMPOTENT_METHODS = ["GET", "PUT", "DELETE"];
/** Their requests have no body that all servers heed. */
const WITHOUT_BODY = ["GET", "DELETE"];

/** What HTTP tools need of the server. */
export interface HttpTools {
  refuse: RefuseHost;
  /** To the hosts that are not refused. */
  way: Egress;
  sealing: Sealing;
}

/**
 * The tool of this name, carried out by asking an address (P24): it is sent `{call, scopes, run}`, or for GET and DELETE the
 * parameters in the query, and its JSON answer is the result. Each request carries an `Idempotency-Key` (P23).
 */
export function httpHandler(tool: string, definition: HttpActivity, tools: HttpTools): Handler {
  const idempotent = definition.idempotent ?? IDEMPOTENT_METHODS.includes(definition.method);
  const activity: Activity = async (params, scopes, call) => {
    const url = new URL(definition.url);
    const refused = tools.refuse(url);
    if (refused) throw new ActivityError("host_not_allowed", `${url.origin} ${refused}`, NOTHING_SENT);
    const withBody = !WITHOUT_BODY.includes(definition.method);
    if (!withBody) putInQuery(url, params);
    const outgoing = {
      url,
      method: definition.method,
      headers: headersOf({ tool, ...definition }, call, withBody, tools.sealing),
      body: withBody ? bodyOf(params, scopes, call) : null,
      way: tools.way,
      reuse: idempotent,
      signal: call.signal,
    };
    try {
      const answer = await exchange(outgoing, (pieces, headers) => readResponse(pieces, headers, call));
      return resultOf(answer, url);
    } catch (error) {
      throw error instanceof ExchangeError ? failureWithoutAnswer(error, url, call.signal) : error;
    }
  };
  return { activity, idempotent, timeout_ms: definition.timeout_ms, retries: definition.retries };
}

/** It would fail the same way again until the operator has changed something. */
const NOTHING_SENT = { did_not_happen: true, transient: false };

function putInQuery(url: URL, params: JsonObject): void {
  for (const [name, value] of Object.entries(params)) {
    url.searchParams.append(name, typeof value === "string" ? value : JSON.stringify(value));
  }
}

function headersOf(
  { headers, ...place }: SecretPlace & HttpActivity,
  call: ActivityCall,
  withBody: boolean,
  sealing: Sealing,
): Record<string, string> {
  const opened = Object.entries(headers).map(([name, value]) => {
    const plain = openHeader(name, value, place, sealing);
    if (plain !== null) return [name, plain];
    throw new ActivityError(
      "sealed_header",
      `The header ${name} was encrypted for another tool or address, or with another key; register the tool again with its value`,
      NOTHING_SENT,
    );
  });
  return {
    ...Object.fromEntries(opened),
    accept: `application/json, ${LINES}`,
    "accept-encoding": "identity",
    "idempotency-key": call.idempotency_key,
    ...(withBody && { "content-type": "application/json" }),
  };
}

/** The same bytes for each try: servers may compare what comes with the same Idempotency-Key. */
function bodyOf(params: JsonObject, scopes: readonly DataMessage[], call: ActivityCall): string {
  const { conversation_id, run_id, iteration, call_id, instance, tool } = call;
  const meta = { _tool: tool, _id: call_id, ...(instance !== "" && { _instance: instance }) };
  return JSON.stringify({
    call: Object.fromEntries([...Object.entries(params), ...Object.entries(meta)]),
    scopes: printContext({ data: [...scopes], text: [] }),
    run: { conversation_id, run_id, iteration },
  });
}

/** The type of a response in lines: progress, and then the result. */
const LINES = "application/x-ndjson";
/** So much progress may come before a result, in bytes. */
const MOST_PROGRESS = 16_000_000;
/** A longer line of progress is passed over. */
const LONGEST_LINE = 4_000;
const SPACE = 32;

function isInLines(headers: Incoming["headers"]): boolean {
  return headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() === LINES;
}

function readResponse(
  pieces: AsyncIterable<Buffer>,
  headers: Incoming["headers"],
  call: ActivityCall,
): Promise<Buffer> {
  return isInLines(headers) ? lastLine(pieces, call) : bodyWithin(pieces, LARGEST_RESULT);
}

/** Reports progress as it comes, and gives the last line that is not empty. */
async function lastLine(pieces: AsyncIterable<Buffer>, { report }: ActivityCall): Promise<Buffer> {
  let last = Buffer.alloc(0);
  let parts: Uint8Array[] = [];
  let [size, progress] = [0, 0];
  const add = (part: Buffer) => {
    parts.push(part);
    size += part.byteLength;
    if (size > LARGEST_RESULT || progress > MOST_PROGRESS) throw new AnswerTooLarge();
  };
  const end = () => {
    const line = Buffer.concat(parts, size);
    [parts, size] = [[], 0];
    if (line.every((byte) => byte <= SPACE)) return;
    last = line;
    progress += line.byteLength;
  };
  for await (const chunk of pieces) {
    let rest = chunk;
    const before = last;
    for (let at = rest.indexOf(10); at >= 0; at = rest.indexOf(10)) {
      add(rest.subarray(0, at));
      end();
      rest = rest.subarray(at + 1);
    }
    add(rest);
    // Of lines that come together the newest says it all: a million of them are not read.
    if (last !== before && last.byteLength <= LONGEST_LINE) reportLine(last, report);
  }
  end();
  return last;
}

/** A line that is no progress is either the result, and read at the end, or of no use. */
function reportLine(line: Buffer, report: ActivityCall["report"]): void {
  const read = readJson(line.toString("utf8"), 2, "as_written");
  if (!read.ok || !isJsonObject(read.value)) return;
  const { progress, message } = read.value;
  if (typeof progress === "number" || typeof message === "string")
    report({
      part: typeof progress === "number" ? progress : undefined,
      message: typeof message === "string" ? message : undefined,
    });
}

/** Of an answer in lines: what its last one gives. */
function resultInLines(value: Json, url: URL): Json {
  if (isJsonObject(value)) {
    if (value.result !== undefined) return value.result;
    const error = isJsonObject(value.error) ? value.error.message : value.error;
    if (typeof error === "string") throw new ActivityError("tool_error", error.slice(0, LONGEST_LINE));
  }
  throw invalidAnswer(`The response of ${url.host} ended without a line {"result": …}`);
}

function resultOf(answer: Incoming, url: URL): Json | Choice {
  if (answer.status < 200 || answer.status > 299) throw failureOf(answer, url);
  const read = readAnswer(answer);
  if (!read.ok) throw invalidAnswer(`The response of ${url.host} ${read.reason}`);
  const choice = readChoice(isInLines(answer.headers) ? resultInLines(read.value, url) : read.value);
  if (choice) return choice.chosen === null ? choice.value : new Choice(choice.chosen, choice.value);
  throw invalidAnswer(
    `The response of ${url.host} has a _path without a value; send both "_path": "†state.…" and "value"`,
  );
}

function invalidAnswer(message: string): ActivityError {
  return new ActivityError("invalid_answer", message);
}
