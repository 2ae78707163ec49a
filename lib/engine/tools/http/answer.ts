import { isUtf8 } from "node:buffer";
import type { Json } from "../../../session/json/json.ts";
import { readJson } from "../../../session/json/json-text.ts";
import { DEEPEST_RESULT } from "../../result-bounds.ts";
import type { Incoming } from "./exchange.ts";

/** Reads an answer as JSON; one without a body is null. `reason` tells what it is instead, in words that follow it. */
export function readAnswer({ headers, body }: Incoming): { ok: true; value: Json } | { ok: false; reason: string } {
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") return { ok: false, reason: `is compressed (${encoding}), which was not requested` };
  if (body.length === 0) return { ok: true, value: null };
  if (!isUtf8(body)) return { ok: false, reason: "is not in UTF-8" };
  const read = readJson(body.toString("utf8").replace(/^\uFEFF/, ""), DEEPEST_RESULT, "as_written");
  return read.ok ? read : { ok: false, reason: `is invalid: ${read.flaw.message}` };
}
