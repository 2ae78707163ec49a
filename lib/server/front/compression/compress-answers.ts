import type { ServerResponse } from "node:http";
import type { Transform } from "node:stream";
import { promisify } from "node:util";
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
} from "node:zlib";
import { preferredCoding, refusesIdentity } from "./accepted-encoding.ts";

/** Below it, a compressed answer needs as many packets. */
const SMALLEST = 1_024;

/** Up to here it takes 0.1 ms, less than handing it to a thread. */
const AT_ONCE = 65_536;

/**
 * The fastest levels. The API's description, 358 kB: Brotli 0.4 ms and 32 kB, gzip 1.0 ms and 39 kB; their defaults
 * take 2.6 ms (gzip) and more for 28 kB.
 */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const GZIP = { level: 1 };

const TEXT = /^(text\/|application\/([\w.-]+\+)?json|application\/x-ndjson)/;

/**
 * Whether an answer is text that is not compressed yet. A strong ETag names the bytes as they are, and writers send it back: an
 * answer with one is never compressed.
 */
export function mayCompress(headers: Headers): boolean {
  if (!TEXT.test(headers.get("content-type") ?? "") || headers.has("content-encoding")) return false;
  return headers.get("etag")?.startsWith("W/") ?? true;
}

/** Compresses a body as the client accepts it, and sets the headers for that; returns a small one as it is, if that is accepted. */
export async function compress(
  body: string | Uint8Array,
  accepted: string | string[] | undefined,
  response: ServerResponse,
): Promise<string | Uint8Array> {
  if (accepted === undefined || (Buffer.byteLength(body) < SMALLEST && !refusesIdentity(accepted))) return body;
  const coding = preferredCoding(accepted);
  if (coding === "identity") return body;
  tell(response, coding);
  if (Buffer.byteLength(body) <= AT_ONCE)
    return coding === "br" ? brotliCompressSync(body, BROTLI) : gzipSync(body, GZIP);
  return coding === "br" ? brotliCompressed(body, BROTLI) : gzipped(body, GZIP);
}

const brotliCompressed = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Compresses a stream as the client accepts it, and sets the headers for that; null if it accepts nothing. */
export function compressor(accepted: string | string[] | undefined, response: ServerResponse): Transform | null {
  const coding = preferredCoding(accepted);
  if (coding === "identity") return null;
  tell(response, coding);
  return coding === "br" ? createBrotliCompress(BROTLI) : createGzip(GZIP);
}

function tell(response: ServerResponse, coding: "br" | "gzip"): void {
  response.setHeader("content-encoding", coding);
}
