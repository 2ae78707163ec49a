import type { Clock } from "../engine/ports.ts";
import { LARGEST_RESULT } from "../engine/result-bounds.ts";
import { ActivityError } from "../engine/tools/activity.ts";
import { createEgressPolicy, type OpenEgress } from "../outgoing/egress.ts";
import type { Json, JsonObject } from "../session/json/json.ts";
import { type Answer, type BatchAnswer, readBatch, readItems } from "./client/answer.ts";
import { type Asked, notAnAnswer, tookTooLong } from "./client/failure.ts";
import { commandText } from "./client/query.ts";
import { type Asking, requestWithRetries } from "./client/request.ts";
import { LONGEST_REST_MS, MOST_TRIES, within } from "./client/retry.ts";
import { readWebhook } from "./client/webhook.ts";

export type { Answer, BatchAnswer, Refusal } from "./client/answer.ts";
export { InvalidWebhook, webhookFault } from "./client/webhook.ts";

/** A command of a batch. Its parameters may refer to earlier ones: `$result[deal][COMPANY_ID]`. */
export interface Command {
  method: string;
  params: JsonObject;
}

/** The items of a list, from as many pages as requested. */
export interface Items {
  items: Json[];
  /** The total; null if the method does not return it. */
  total: number | null;
  /** The `start` of the next page; null at the end. */
  next: number | null;
}

export interface RetryPolicy {
  signal: AbortSignal;
  /** The maximum time in ms, including retries. */
  within?: number;
}

/**
 * A Bitrix24 portal with an inbound webhook. Methods throw an `ActivityError`: the portal's `error` is its code and
 * `error_description` its message, and it never contains the webhook's secret. When aborted, they throw the signal's
 * reason.
 */
export interface BitrixClient {
  /** Calls a method by the portal's name for it. */
  call(method: string, params: JsonObject, patience: RetryPolicy): Promise<Answer>;
  /** Reads a list in pages of 50, until it has `limit` items: at most 10 pages, and 1 MB. */
  list(method: string, params: JsonObject, options: RetryPolicy & { limit: number }): Promise<Items>;
  /** Calls up to 50 methods in one request, in order. With `halt` the first error ends it. */
  batch(commands: Record<string, Command>, options: RetryPolicy & { halt: boolean }): Promise<BatchAnswer>;
  /** The maximum time of a request including retries, ms. */
  patience_ms: number;
}

export interface BitrixOptions extends Partial<Omit<Asking, "egress">> {
  webhookUrl: string;
  openEgress?: OpenEgress;
}

/** Slow methods take some seconds; a longer request has failed. */
const TIMEOUT_MS = 30_000;
/** Bitrix24's limit per request. */
export const MOST_COMMANDS = 50;
/** The page size; fewer if the webhook's user may not see some items. */
export const PAGE = 50;
const MOST_PAGES = 10;

const wallClock: Clock = {
  now: Date.now,
  later(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

/** Creates a client for a webhook. Throws `InvalidWebhook`. */
export function createBitrixClient(options: BitrixOptions): BitrixClient {
  const { webhookUrl, timeoutMs = TIMEOUT_MS, clock = wallClock, random = Math.random, logger = null } = options;
  const webhook = readWebhook(webhookUrl);
  const { openEgress = createEgressPolicy([]) } = options;
  const egress = openEgress({ hosts: [webhook.host] });
  const asking: Asking = { egress, timeoutMs, clock, random, logger };

  const portal: Portal = {
    asked: (method, repeatable) => ({ method, repeatable, webhook }),
    ask(asked, params, { signal, within: limit }) {
      if (limit === undefined) return requestWithRetries(asked, params, asking, signal);
      const tooLate = () => tookTooLong(limit, true, asked);
      return within(limit, clock, signal, tooLate, (either) => requestWithRetries(asked, params, asking, either));
    },
  };
  return {
    call: (method, params, patience) => portal.ask(portal.asked(method, isRead(method)), params, patience),
    list: (method, params, { limit, ...patience }) => list(portal, method, params, limit, patience),
    batch: (commands, { halt, ...patience }) => batch(portal, commands, halt, patience),
    patience_ms: MOST_TRIES * timeoutMs + (MOST_TRIES - 1) * LONGEST_REST_MS,
  };
}

/** The portal of a client. */
interface Portal {
  asked(method: string, repeatable: boolean): Asked;
  ask(asked: Asked, params: JsonObject, patience: RetryPolicy): Promise<Answer>;
}

/** Read-only methods are recognized by the last word of their name. */
function isRead(method: string): boolean {
  return /\.(get|list|current|fields)$/i.test(method);
}

async function list(portal: Portal, method: string, params: JsonObject, limit: number, patience: RetryPolicy) {
  const asked = portal.asked(method, true);
  const read: Items = { items: [], total: null, next: null };
  let size = 0;
  for (let page = 0; page < Math.min(limit / PAGE, MOST_PAGES); page++) {
    const start = read.next;
    const { result, total, next } = await portal.ask(asked, start === null ? params : { ...params, start }, patience);
    const items = readItems(result);
    if (items === null) throw notAnAnswer("something that is no list", asked);
    size += JSON.stringify(items).length;
    if (start !== null && size > LARGEST_RESULT) break;
    read.items.push(...items);
    read.total = total ?? read.total;
    read.next = next ?? null;
    if (read.next === null) break;
  }
  return read;
}

async function batch(portal: Portal, commands: Record<string, Command>, halt: boolean, patience: RetryPolicy) {
  const entries = Object.entries(commands);
  if (entries.length > MOST_COMMANDS) {
    const message = `A batch may have at most ${MOST_COMMANDS} commands, not ${entries.length}; send several batches`;
    throw new ActivityError("too_many_commands", message, { did_not_happen: true, transient: false });
  }
  const repeatable = entries.every(([, { method }]) => isRead(method));
  const asked = portal.asked("batch", repeatable);
  const cmd = Object.fromEntries(entries.map(([name, { method, params }]) => [name, commandText(method, params)]));
  const { result } = await portal.ask(asked, { halt: Number(halt), cmd }, patience);
  const answer = readBatch(result);
  if (answer === null) throw notAnAnswer("something that is no batch's result", asked);
  return answer;
}
