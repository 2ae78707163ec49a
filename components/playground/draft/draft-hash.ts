import { DOCUMENTS, type Draft, EMPTY_DRAFT } from "./documents.ts";

/** Messengers and mail cut longer addresses, in characters. */
const LONGEST = 6_000;
const HEAD = "#plan=";
/** The most bytes that a link may decompress to: the limit of a request. */
const LARGEST = 8_000_000;

/** The hash of an address with a compressed draft; null when it would be too long. */
export async function printHash(draft: Draft): Promise<string | null> {
  const given = Object.fromEntries(DOCUMENTS.filter((name) => draft[name] !== "").map((name) => [name, draft[name]]));
  const packed = await through(new Blob([JSON.stringify(given)]), new CompressionStream("deflate-raw"), LARGEST);
  const text = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
  const hash = HEAD + text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return hash.length > LONGEST ? null : hash;
}

/** Whether an address contains a draft. */
export function hasDraft(hash: string): boolean {
  return hash.startsWith(HEAD);
}

/** Reads the draft in an address; null for an invalid link. */
export async function readHash(hash: string): Promise<Draft | null> {
  try {
    const text = atob(hash.slice(HEAD.length).replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(text, (unit) => unit.charCodeAt(0));
    const bytes = await through(new Blob([packed]), new DecompressionStream("deflate-raw"), LARGEST);
    return readDraft(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  } catch (error) {
    // Errors of base64, decompression, UTF-8 and JSON.
    if (error instanceof DOMException || error instanceof TypeError || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** A stored or shared draft, without other fields; null when it is invalid. */
export function readDraft(value: unknown): Draft | null {
  if (typeof value !== "object" || value === null) return null;
  const draft = { ...EMPTY_DRAFT };
  for (const name of DOCUMENTS) {
    const text: unknown = Reflect.get(value, name);
    if (typeof text === "string") draft[name] = text;
  }
  return draft;
}

async function through(
  blob: Blob,
  stream: ReadableWritablePair<Uint8Array<ArrayBuffer>, BufferSource>,
  most: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (const reader = blob.stream().pipeThrough(stream).getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) throw new TypeError("It unpacks to more than a request may have");
    chunks.push(value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
