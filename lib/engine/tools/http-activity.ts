import type { Egress } from "../../outgoing/egress.ts";
import { printContext } from "../../plan/context.ts";
import type { DataMessage } from "../../plan/message.ts";
import type { Json, JsonObject } from "../../session/json.ts";
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
      return resultOf(await exchange(outgoing, (response) => bodyWithin(response, LARGEST_RESULT)), url);
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
    accept: "application/json",
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

function resultOf(answer: Incoming, url: URL): Json | Choice {
  if (answer.status < 200 || answer.status > 299) throw failureOf(answer, url);
  const read = readAnswer(answer);
  if (!read.ok) throw invalidAnswer(`The response of ${url.host} ${read.reason}`);
  const choice = readChoice(read.value);
  if (choice) return choice.chosen === null ? choice.value : new Choice(choice.chosen, choice.value);
  throw invalidAnswer(
    `The response of ${url.host} has a _path without a value; send both "_path": "†state.…" and "value"`,
  );
}

function invalidAnswer(message: string): ActivityError {
  return new ActivityError("invalid_answer", message);
}
