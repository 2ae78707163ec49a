import { fileURLToPath } from "node:url";
import type { Reader, Type } from "protobufjs";

const FOLDER = fileURLToPath(new URL("./proto/", import.meta.url));
/** OpenTelemetry's own for spans, and what is read of its requests with logs. */
const FILES = ["opentelemetry/proto/collector/trace/v1/trace_service.proto", "logs.proto"];

/**
 * How many messages may stand one inside of the other: far more than a span may have, so that one that nests too deeply is
 * refused alone, and far less than what the stack holds.
 */
const DEEPEST_MESSAGE = 1_000;

/** What protobuf is read by. */
export interface Definitions {
  /** Requests by their messages' names. */
  requests: Record<"ExportTraceServiceRequest" | "ExportLogsServiceRequest", Type>;
  readerOf(bytes: Uint8Array): Reader;
}

/** Loaded once, and only by a server that is sent protobuf. */
export function definitions(): Promise<Definitions> {
  loading ??= load();
  return loading;
}

let loading: Promise<Definitions> | null = null;

async function load(): Promise<Definitions> {
  const { default: protobuf } = await import("protobufjs");
  protobuf.Reader.recursionLimit = DEEPEST_MESSAGE;
  protobuf.util.recursionLimit = DEEPEST_MESSAGE;
  const root = new protobuf.Root();
  root.resolvePath = (_, target) => FOLDER + target;
  await root.load(FILES);
  // A value has one field, as exporters send it. To delete all others with each one that is read took a sixth of the time of reading.
  const value = root.lookupType("opentelemetry.proto.common.v1.AnyValue").oneofs.value;
  if (value) value.oneof.length = 0;
  root.resolveAll();
  const requests = {
    ExportTraceServiceRequest: root.lookupType("opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest"),
    ExportLogsServiceRequest: root.lookupType("ExportLogsServiceRequest"),
  };
  return { requests, readerOf: (bytes) => protobuf.Reader.create(bytes) };
}
