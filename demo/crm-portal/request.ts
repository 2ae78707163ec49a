import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Json, JsonObject } from "../../lib/session/json/json.ts";
import { asArray, readForm } from "./php-array.ts";
import { Refusal } from "./refusal.ts";

/** The largest body; a batch of 50 commands is much smaller. */
const MAX_BODY_BYTES = 1024 * 1024;

/** How much of a larger body is read and discarded: a client that is still sending would miss the response. */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;

/** The nesting limit of JSON, as for brackets in a form. */
const MAX_DEPTH = 64;

/** The address of a request: `/rest/<user>/<token>/<method>`. */
export interface Target {
  user: string;
  token: string;
  /** In lower case, without `.json`. */
  method: string;
  query: string;
}

/** Parses the address of a call; null for any other. */
export function readTarget(url: string): Target | null {
  const [path = "", ...query] = url.split("?");
  const [, user, token, method] = /^\/rest\/(\d+)\/([^/]+)\/([\w.]+)\/?$/.exec(path) ?? [];
  if (user === undefined || token === undefined || method === undefined) return null;
  return { user, token, method: method.toLowerCase().replace(/\.json$/, ""), query: query.join("?") };
}

/** The parameters of a call from query and body (JSON or form); the body overrides the query. Throws `Refusal`. */
export async function readParams(request: IncomingMessage, query: string): Promise<JsonObject> {
  const body = await readBody(request);
  const given = body === "" ? {} : isJson(request) ? readJson(body) : readForm(body);
  return { ...readForm(query), ...given };
}

function isJson({ headers }: IncomingMessage): boolean {
  return /^application\/json\b/i.test(headers["content-type"] ?? "");
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
    if (size > MAX_DISCARDED_BYTES) break;
  }
  if (size > MAX_BODY_BYTES) throw new Refusal(413, "REQUEST_TOO_LARGE", "The body is larger than 1 MB");
  const bytes = Buffer.concat(chunks);
  if (!isUtf8(bytes)) throw broken("The body is not valid UTF-8");
  return bytes
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .trim();
}

function readJson(body: string): JsonObject {
  let value: Json;
  try {
    value = JSON.parse(body);
  } catch (error) {
    throw broken(`The body is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (isDeeper(value, MAX_DEPTH)) throw broken(`The body nests deeper than ${MAX_DEPTH} levels`);
  const params = asArray(value);
  if (!params) throw broken("The body is neither a JSON object nor an array");
  return params;
}

/** Stops at the limit, because deeper values could overflow the stack. */
function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}

function broken(description: string): Refusal {
  return new Refusal(400, "INVALID_REQUEST", description);
}
