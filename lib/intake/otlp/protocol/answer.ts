import protobuf from "protobufjs/minimal.js";
import type { Rejected } from "./decode.ts";

/** How a request's body is encoded, and so its answer. */
export type Encoding = "protobuf" | "json";

/** What of a request was refused, by the name of its count: all signals' answers are alike otherwise. */
type RejectedName = "rejectedSpans" | "rejectedLogRecords" | "rejectedDataPoints";

/** The answer to a request whose good items are stored, `ExportTraceServiceResponse` or that of another signal: what was refused is told in it. */
export function printAccepted(
  { count, message }: Rejected,
  encoding: Encoding,
  name: RejectedName,
): string | Uint8Array {
  if (encoding === "json")
    return JSON.stringify(count === 0 ? {} : { partialSuccess: { [name]: String(count), errorMessage: message } });
  const writer = protobuf.Writer.create();
  if (count > 0)
    writer.uint32(tag(1, 2)).fork().uint32(tag(1, 0)).int64(count).uint32(tag(2, 2)).string(message).ldelim();
  return writer.finish();
}

/** The answer to a request of which nothing was stored, `google.rpc.Status`. `code` is one of gRPC's. */
export function printRefused(code: number, message: string, encoding: Encoding): string | Uint8Array {
  if (encoding === "json") return JSON.stringify({ code, message, details: [] });
  return protobuf.Writer.create().uint32(tag(1, 0)).int32(code).uint32(tag(2, 2)).string(message).finish();
}

/** A field's number and how it is written: 0 is a number, 2 has a length before it. */
function tag(field: number, wire: 0 | 2): number {
  return (field << 3) | wire;
}
