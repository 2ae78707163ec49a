import { isUtf8 } from "node:buffer";
import { promisify } from "node:util";
import { gunzip, inflate } from "node:zlib";
import { yieldToEventLoop } from "../../event-loop/yielding.ts";
import type { Json } from "../../session/json/json.ts";
import type { Numbers } from "../../session/json/json-number.ts";
import { Problem } from "../problem.ts";
import type { ApiRequest } from "./api-request.ts";
import { holdBytes } from "./held-bytes.ts";
import { parseJsonInParts } from "./json-text.ts";
import { requesterOf } from "./requester.ts";

/** The maximum body of an ordinary request, in bytes (E11); imports have another limit. */
export const MAX_BODY_BYTES = 5 * 1024 * 1024;
/** The maximum for unidentified callers: a name and a password are shorter. */
const MAX_UNKNOWN_BYTES = 16 * 1024;

/**
 * How much of a body that is too large is read and discarded. Responding while the client is still sending makes many
 * clients report a broken connection instead of the 413.
 */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;

/** Yields to the event loop after parsing lines of this many characters. */
const READ_AT_ONCE = 512 * 1024;

/** Empty lines in a batch. */
const MOST_BLANK_LINES = 10_000;

/** Media types of NDJSON; none is registered, so common names are accepted. */
const NDJSON_TYPES = ["application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines"];

/** A body that is read as it arrives. */
export interface ByteStream {
  bytes: AsyncIterable<Uint8Array>;
  /** Discards the rest, so that the client has sent everything before the response. */
  discard(): Promise<void>;
}

/** Whether the client can still receive a response: it is connected, and the server is not stopping. */
export function canRespond({ aborted, reason }: AbortSignal): boolean {
  return !aborted || (reason instanceof Error && reason.name === "RightsEnded");
}

/** A body of any length, of JSON, lines, bytes or these `types`. Throws `unsupported_media_type`. */
export function readStream(request: ApiRequest, types: readonly string[] = ["application/octet-stream"]): ByteStream {
  refuseCompressed(request);
  if (!types.includes(mediaType(request))) bodyFormat(request);
  return { bytes: bytesOf(request), discard: () => discard(request) };
}

/** The media type of a body without parameters; "" for none. */
export function mediaType(request: ApiRequest): string {
  return (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

function refuseCompressed(request: ApiRequest): void {
  const encoding = request.headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity") return;
  throw new Problem(
    "unsupported_media_type",
    "Compressed bodies are not accepted; send the body uncompressed, without Content-Encoding.",
  );
}

/** The format for a `Content-Type`. Throws `unsupported_media_type` for all others, and for other charsets. */
function bodyFormat(request: ApiRequest): "json" | "ndjson" {
  const header = request.headers.get("content-type") ?? "";
  const type = mediaType(request);
  const charset = /;\s*charset="?([^";\s]*)/i.exec(header)?.[1]?.toLowerCase() ?? "utf-8";
  const known = charset === "utf-8" || charset === "utf8";
  if (known && type === "application/json") return "json";
  if (known && NDJSON_TYPES.includes(type)) return "ndjson";
  const given = header === "" ? "no Content-Type" : `Content-Type ${header}`;
  throw new Problem(
    "unsupported_media_type",
    `The body has ${given}; send application/json or application/x-ndjson in UTF-8.`,
  );
}

/**
 * Reads a JSON body of at most 5 MB, or 16 kB from unidentified callers. Throws a `Problem`: too large, wrong media
 * type, not UTF-8, not JSON, too deep.
 */
export async function readJson(
  request: ApiRequest,
  numbers: Numbers = "refused",
  most = mostOf(request),
): Promise<Json> {
  return parseJsonInParts(await readJsonText(request, most), "", undefined, numbers);
}

function mostOf({ headers }: ApiRequest): number {
  return requesterOf(headers).caller.kind === "nobody" ? MAX_UNKNOWN_BYTES : MAX_BODY_BYTES;
}

/** The text of such a body, not parsed yet. Throws a `Problem`: too large, wrong media type, not UTF-8. */
export async function readJsonText(request: ApiRequest, most = MAX_BODY_BYTES): Promise<string> {
  refuseCompressed(request);
  if (bodyFormat(request) === "ndjson") {
    throw new Problem("unsupported_media_type", "This operation accepts one JSON value; send it as application/json.");
  }
  return textOf(await readBytes(request, most));
}

/**
 * Reads a batch with a maximum number of entries: one JSON value, an array, or NDJSON, compressed or not. Throws as
 * `readJson` does; errors name the line (`/2`).
 */
export async function readBatch(request: ApiRequest, most: number): Promise<{ entries: Json[]; single: boolean }> {
  const format = bodyFormat(request);
  const text = textOf(await readCompressed(request, MAX_BODY_BYTES));
  if (format === "ndjson") return { entries: await readLines(text, most), single: false };
  const value = await parseJsonInParts(text, "");
  if (!Array.isArray(value)) return { entries: [value], single: true };
  if (value.length > most) throw tooMany(`${value.length} entries`, most);
  return { entries: value, single: false };
}

/** Lines are counted while splitting: 5 MB may have millions of lines. */
async function readLines(text: string, most: number): Promise<Json[]> {
  const entries: Json[] = [];
  let blank = 0;
  let read = 0;
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    end = text.indexOf("\n", start);
    if (end < 0) end = text.length;
    const line = text.slice(start, end);
    if (line.trim() === "") {
      blank += 1;
      if (blank > MOST_BLANK_LINES)
        throw new Problem("too_many", `The body has more than ${MOST_BLANK_LINES} empty lines; remove them.`);
      continue;
    }
    if (entries.length === most) throw tooMany(`more than ${most} entries`, most);
    entries.push(await parseJsonInParts(line, `/${entries.length}`));
    read += line.length;
    if (read < READ_AT_ONCE) continue;
    await yieldToEventLoop();
    read = 0;
  }
  return entries;
}

function tooMany(given: string, most: number): Problem {
  return new Problem("too_many", `The request has ${given}; send at most ${most} at a time.`);
}

/** The text of a body. Throws a `Problem` if it is not UTF-8. */
export function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) {
    throw new Problem("bad_encoding", "The body is not valid UTF-8; encode it as UTF-8.");
  }
  return bytes.toString("utf8").replace(/^\uFEFF/, "");
}

/** Counts bytes as they arrive, so that no header can lie about the size. */
async function readBytes(request: ApiRequest, limit: number): Promise<Buffer> {
  const arrived = await request.body?.arrived?.();
  if (arrived) {
    if (arrived.byteLength > limit) throw tooLarge(limit);
    return Buffer.from(arrived.buffer, arrived.byteOffset, arrived.byteLength);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  const held = holdBytes();
  try {
    for await (const chunk of bytesOf(request)) {
      size += chunk.byteLength;
      if (size > limit) break;
      held.add(chunk.byteLength);
      chunks.push(chunk);
    }
  } finally {
    held.free();
  }
  if (size > limit) {
    await discard(request);
    throw tooLarge(limit);
  }
  return Buffer.concat(chunks, size);
}

function tooLarge(limit: number): Problem {
  const size = limit < 1024 * 1024 ? `${limit / 1024} kB` : `${limit / 1024 / 1024} MB`;
  return new Problem("too_large", `The body is larger than ${size}; send it in smaller parts.`);
}

/** Decoders by Content-Encoding. */
const DECODERS = new Map([
  ["gzip", promisify(gunzip)],
  ["deflate", promisify(inflate)],
]);

/**
 * Reads a body that may be compressed (`Content-Encoding`), with a limit before and after decompression. Throws a
 * `Problem`: too large, an unknown encoding, an invalid body.
 */
export async function readCompressed(request: ApiRequest, limit: number): Promise<Buffer> {
  const encoding = request.headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  const decode = DECODERS.get(encoding);
  if (!decode && encoding !== "identity")
    throw new Problem(
      "unsupported_media_type",
      `The Content-Encoding ${encoding} is not supported; use gzip, deflate or none.`,
    );
  const bytes = await readBytes(request, limit);
  if (!decode) return bytes;
  try {
    // Stops at the limit, whatever the size after decompression.
    return await decode(bytes, { maxOutputLength: limit });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(limit);
    const reason = error instanceof Error ? error.message : String(error);
    throw new Problem("invalid_input", `The body is not valid ${encoding}: ${reason}.`);
  }
}

/** The chunks of a body; a reader that stops early leaves the rest. */
async function* bytesOf(request: ApiRequest): AsyncGenerator<Uint8Array> {
  if (request.body) yield* request.body.values({ preventCancel: true });
}

async function discard(request: ApiRequest): Promise<void> {
  // It is still being read, and waits for the next chunk.
  if (request.body?.locked) return;
  let size = 0;
  for await (const chunk of request.body?.values() ?? []) {
    size += chunk.byteLength;
    if (size > MAX_DISCARDED_BYTES) return;
  }
}
