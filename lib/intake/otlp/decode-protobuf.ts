import { type Decoded, decodeRequest, MalformedSpans } from "./decode.ts";
import { requestType } from "./definitions.ts";

/** Reads a request in protobuf (E15). Throws `MalformedSpans`. */
export async function decodeProtobuf(bytes: Uint8Array): Promise<Decoded> {
  const type = await requestType();
  return decodeRequest(readMessage(() => type.decode(bytes)));
}

function readMessage(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new MalformedSpans(
      `The body is not a protobuf ExportTraceServiceRequest (${reason}); send what an OTLP exporter makes, whole`,
      { cause: error },
    );
  }
}
