import { fileURLToPath } from "node:url";
import type { Reader, Type } from "protobufjs";

const FOLDER = fileURLToPath(new URL("./proto/", import.meta.url));
const SERVICE = "opentelemetry/proto/collector/trace/v1/trace_service.proto";
const REQUEST = "opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest";

/**
 * How many messages may stand one inside of the other: far more than a span may have, so that one that nests too deeply is
 * refused alone, and far less than what the stack holds.
 */
const DEEPEST_MESSAGE = 1_000;

/** What protobuf is read by. */
export interface Definitions {
  /** A request as OpenTelemetry's own definitions have it. */
  request: Type;
  readerOf(bytes: Uint8Array): Reader;
}

/** Loaded once, and only by a server that is sent spans this way. */
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
  await root.load(SERVICE);
  root.resolveAll();
  return { request: root.lookupType(REQUEST), readerOf: (bytes) => protobuf.Reader.create(bytes) };
}
