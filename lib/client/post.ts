import type { Entry } from "./queue.ts";

/** What became of a request. */
export type Outcome =
  | { kind: "stored" }
  /** These, by their places in it, are refused; the others were not stored with them. */
  | { kind: "refused"; faults: Map<number, string> }
  /** It is too large, or something in it is refused and the answer does not name it. */
  | { kind: "too_much"; detail: string }
  /** Nothing in it is at fault: it is sent again, at the earliest after so long. */
  | { kind: "again"; detail: string; status: number | null; after_ms: number | null };

/** Where to, and how. */
export interface Target {
  url: URL;
  headers: Record<string, string>;
}

/** Sends events in one request. Never throws: what goes wrong is an outcome. */
export async function postEvents(
  { url, headers }: Target,
  batch: readonly Entry[],
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    const body = `[${batch.map(({ json }) => json).join(",")}]`;
    const response = await fetch(url, {
      ...{ method: "POST", headers: { ...headers, "content-type": "application/json" }, body, signal },
      // A POST that is redirected becomes a GET in most places, and its events are lost.
      redirect: "error",
    });
    return outcomeOf(response, await response.text(), batch.length);
  } catch (error) {
    return { kind: "again", detail: sentenceOf(error, signal), status: null, after_ms: null };
  }
}

function outcomeOf({ ok, status, headers }: Response, text: string, count: number): Outcome {
  const body = parsed(text);
  // Anybody may answer 200, a proxy's login page for one. Only this means that the events are on disk.
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

/** What is wrong, by the event's place: `/3/payload/tool` is of the fourth. */
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

/** Retry-After, as seconds or as a date. */
function waitOf(header: string | null): number | null {
  if (header === null) return null;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), LONGEST_WAIT_MS) : null;
}

/** However long a server asks one to wait. */
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

/** fetch hides what went wrong one level down. */
function sentenceOf(error: unknown, { aborted, reason }: AbortSignal): string {
  const thrown: unknown = aborted ? reason : error;
  if (!(thrown instanceof Error)) return String(thrown);
  const { cause, message } = thrown;
  return cause instanceof Error && cause.message !== "" ? `${message}: ${cause.message}` : message;
}
