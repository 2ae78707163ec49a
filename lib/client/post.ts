import type { Entry } from "./queue.ts";

/** The result of a request. */
export type Outcome =
  | { kind: "stored" }
  /** Those at these indexes are invalid; the others were not stored either. */
  | { kind: "refused"; faults: Map<number, string> }
  /** It is too large, or an event in it is refused and the response does not name it. */
  | { kind: "too_much"; detail: string }
  /** A temporary failure: it is retried after a delay. */
  | { kind: "again"; detail: string; status: number | null; after_ms: number | null };

/** The server, and how to reach it. */
export interface Target {
  url: URL;
  headers: Record<string, string>;
  /** Whether larger requests are compressed. */
  gzip: boolean;
}

/** What is smaller fits into a network packet as it is. */
const COMPRESS_FROM = 1_400;

/** Sends events in one request. Never throws: errors are outcomes. */
export async function postEvents(target: Target, batch: readonly Entry[], signal: AbortSignal): Promise<Outcome> {
  const { url, headers } = target;
  try {
    const text = `[${batch.map(({ json }) => json).join(",")}]`;
    const isCompressed = target.gzip && text.length >= COMPRESS_FROM && "CompressionStream" in globalThis;
    const body = isCompressed ? await compressed(text) : text;
    const encoding: Record<string, string> = isCompressed ? { "content-encoding": "gzip" } : {};
    const response = await fetch(url, {
      ...{ method: "POST", headers: { ...headers, "content-type": "application/json", ...encoding }, body, signal },
      // A redirected POST usually becomes a GET, and its events are lost.
      redirect: "error",
    });
    const answer = await response.text();
    if (response.status === 415 && isCompressed) {
      // An older server.
      target.gzip = false;
      return await postEvents(target, batch, signal);
    }
    return outcomeOf(response, answer, batch.length);
  } catch (error) {
    return { kind: "again", detail: sentenceOf(error, signal), status: null, after_ms: null };
  }
}

function compressed(text: string): Promise<ArrayBuffer> {
  return new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
}

function outcomeOf({ ok, status, headers }: Response, text: string, count: number): Outcome {
  const body = parsed(text);
  // Any server may respond 200, such as a proxy's login page. Only this means that the events are stored.
  if (ok && Array.isArray(body.events) && body.events.length === count) return { kind: "stored" };
  const isOurs = typeof body.type === "string" && body.type.startsWith("urn:obelus:problem:");
  const detail = isOurs && typeof body.detail === "string" ? body.detail : `The server answered ${status}`;
  if (status === 413) return { kind: "too_much", detail };
  if (isOurs && (status === 400 || status === 409 || status === 422)) {
    const faults = faultsOf(body.errors, count);
    return faults.size > 0 ? { kind: "refused", faults } : { kind: "too_much", detail };
  }
  return { kind: "again", detail, status, after_ms: waitOf(headers.get("retry-after")) };
}

/** Errors by the event's index: `/3/payload/tool` is of the fourth. */
function faultsOf(errors: unknown, count: number): Map<number, string> {
  const faults = new Map<number, string>();
  for (const error of Array.isArray(errors) ? errors : []) {
    const { path, message }: Fields = isFields(error) ? error : {};
    const [, place, field = ""] = /^\/(\d+)(\/.*)?$/s.exec(String(path)) ?? [];
    const index = place === undefined ? count : Number(place);
    if (index >= count) continue;
    const sentence = `${field} ${message}`.trim();
    const before = faults.get(index);
    faults.set(index, before === undefined ? sentence : `${before}; ${sentence}`);
  }
  return faults;
}

/** Retry-After, in seconds or as a date. */
function waitOf(header: string | null): number | null {
  if (header === null) return null;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), LONGEST_WAIT_MS) : null;
}

/** The maximum of Retry-After. */
const LONGEST_WAIT_MS = 300_000;

type Fields = Record<string, unknown>;

function parsed(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

/** `fetch` has the actual error as its cause. */
function sentenceOf(error: unknown, { aborted, reason }: AbortSignal): string {
  const thrown: unknown = aborted ? reason : error;
  if (!(thrown instanceof Error)) return String(thrown);
  const { cause, message } = thrown;
  return cause instanceof Error && cause.message !== "" ? `${message}: ${cause.message}` : message;
}
