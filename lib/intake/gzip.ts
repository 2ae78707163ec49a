import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { ImportError } from "./import-error.ts";

const MAGIC = [0x1f, 0x8b] as const;

/** Decompresses gzip; other bytes pass unchanged. Throws `ImportError` if the file is damaged or truncated. */
export async function* decompressed(bytes: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  const { head, all } = await peek(bytes);
  if (head[0] === MAGIC[0] && head[1] === MAGIC[1]) yield* gunzip(all);
  else yield* all;
}

async function* gunzip(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzipped = createGunzip();
  // An error of the input is also thrown by the output, here.
  pipeline(Readable.from(bytes), gunzipped).catch(() => undefined);
  try {
    for await (const chunk of gunzipped) yield chunk;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && String(error.code).startsWith("Z_"))) throw error;
    throw new ImportError("the gzip file is damaged or incomplete; compress it again, or send it uncompressed", {
      line: null,
    });
  }
}

/** The first two bytes, and the whole stream. */
async function peek(
  bytes: AsyncGenerator<Uint8Array>,
): Promise<{ head: readonly number[]; all: AsyncIterable<Uint8Array> }> {
  const seen: Uint8Array[] = [];
  let head: number[] = [];
  while (head.length < MAGIC.length) {
    const next = await bytes.next();
    if (next.done) break;
    seen.push(next.value);
    head = [...head, ...next.value.subarray(0, MAGIC.length)];
  }
  return { head, all: replay(seen, bytes) };
}

async function* replay(seen: Uint8Array[], rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* seen;
  yield* rest;
}
