import { PROBLEM_CODES, Problem } from "../../api/problem.ts";
import { textOf } from "../../api/request/body.ts";
import { parseJsonInParts } from "../../api/request/json-text.ts";
import { MalformedSpans } from "../../intake/otlp/protocol/decode.ts";
import type { Json } from "../../session/json/json.ts";
import { type OtlpRequest, type Received, receiveOtlp } from "../../traces/receive.ts";

/**
 * The maximum nesting of a JSON request: a level of an attribute's value is four of JSON. A span that is nested too
 * deeply is refused alone, within the stack's limit.
 */
const DEEPEST = 1_000;

/** Parses the spans or logs of a request. Throws `MalformedSpans`. */
export async function readOtlpRequest({ signal, encoding, bytes }: OtlpRequest): Promise<Received> {
  if (encoding === "protobuf") return receiveOtlp({ signal, encoding, bytes });
  return receiveOtlp({ signal, encoding, value: await jsonOf(bytes) });
}

async function jsonOf(bytes: Uint8Array): Promise<Json> {
  try {
    const text = textOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return await parseJsonInParts(text, "", DEEPEST, "as_written");
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // A problem's sentence ends with a full stop, the other's is put into one.
    const message = error.message.replace(/\.$/, "");
    throw new MalformedSpans(message, { tooLarge: PROBLEM_CODES[error.code] === 413 });
  }
}
