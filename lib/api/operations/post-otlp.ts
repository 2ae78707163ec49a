import { z } from "zod";
import { printAccepted, printRefused } from "../../intake/otlp/protocol/answer.ts";
import type { Services } from "../../server/services.ts";
import { type Body, operation } from "../operation.ts";
import { Problem } from "../problem.ts";
import { mediaType, readCompressed } from "../request/body.ts";

/** The maximum size of a request, in bytes, before and after decompression. */
const MAX_BYTES = 20 * 1024 * 1024;

const PROTOBUF = "application/x-protobuf";
const JSON_TYPE = "application/json";

type OtlpRequest = Parameters<Services["traces"]["take"]>[0];

function bodyWith(resources: string): Body<Pick<OtlpRequest, "encoding" | "bytes">> {
  return {
    content: { [PROTOBUF]: null, [JSON_TYPE]: z.looseObject({ [resources]: z.array(z.looseObject({})) }) },
    async read(request) {
      const type = mediaType(request);
      if (type !== PROTOBUF && type !== JSON_TYPE) {
        const given = type === "" ? "no Content-Type" : `Content-Type ${type}`;
        throw new Problem("unsupported_media_type", `The body has ${given}; send ${PROTOBUF} or ${JSON_TYPE}.`);
      }
      const bytes = await readCompressed(request, MAX_BYTES);
      return { encoding: type === PROTOBUF ? "protobuf" : "json", bytes };
    },
  };
}

/** A signal of OpenTelemetry, and what its answer is called. */
interface Accepted {
  summary: string;
  resources: string;
  answer: string;
  rejected: "rejectedSpans" | "rejectedLogRecords" | "rejectedDataPoints";
  /** Null where nothing of it is stored. */
  signal: OtlpRequest["signal"] | null;
}

const ENCODED = "as protobuf or JSON, optionally compressed by gzip or deflate, up to 20 MB";

const TRACES: Accepted = {
  summary: `Ingests OTLP/HTTP spans ${ENCODED}. The spans are on disk when the request is answered, and are mapped to a session afterwards.`,
  resources: "resourceSpans",
  answer: "ExportTraceServiceResponse",
  rejected: "rejectedSpans",
  signal: "traces",
};

const LOGS: Accepted = {
  summary: `Ingests OTLP/HTTP logs ${ENCODED}: events of the GenAI conventions are joined to the spans of models by their ids, whichever comes first, and results of evaluations become scores. Other logs are counted and not stored.`,
  resources: "resourceLogs",
  answer: "ExportLogsServiceResponse",
  rejected: "rejectedLogRecords",
  signal: "logs",
};

const METRICS: Accepted = {
  summary: `Accepts OTLP/HTTP metrics ${ENCODED}, and stores nothing, so that exporters of all signals need no settings.`,
  resources: "resourceMetrics",
  answer: "ExportMetricsServiceResponse",
  rejected: "rejectedDataPoints",
  signal: null,
};

/** Ingests OpenTelemetry, at the exporters' default paths and at those below /api (E15). */
export const postTraces = takesOtlp("postTraces", "/v1/traces", TRACES);
export const postOtlpTraces = takesOtlp("postOtlpTraces", "/api/otlp/v1/traces", TRACES);
export const postLogs = takesOtlp("postLogs", "/v1/logs", LOGS);
export const postOtlpLogs = takesOtlp("postOtlpLogs", "/api/otlp/v1/logs", LOGS);
export const postMetrics = takesOtlp("postMetrics", "/v1/metrics", METRICS);
export const postOtlpMetrics = takesOtlp("postOtlpMetrics", "/api/otlp/v1/metrics", METRICS);

function takesOtlp(name: string, path: string, { summary, resources, answer, rejected, signal }: Accepted) {
  const partialSuccess = z.object({ [rejected]: z.string(), errorMessage: z.string() }).optional();
  return operation({
    name,
    permission: "ingest",
    method: "POST",
    path,
    summary,
    body: bodyWith(resources),
    headers: { "Content-Encoding": "`gzip` or `deflate`." },
    answers: {
      200: {
        description:
          signal === null
            ? `An empty ${answer}, in the encoding of the request.`
            : `${answer}, in the encoding of the request. What is valid is stored; partialSuccess says how much was rejected, and why.`,
        schema: z.looseObject({ partialSuccess }),
      },
      400: { description: "The body cannot be read: google.rpc.Status, in the encoding of the request." },
      413: {
        description:
          "More than 20 MB, before or after decompressing, 50,000 spans or log records, or 1,000,000 fields: google.rpc.Status.",
      },
    },
    refuse(problem, request) {
      const { status, headers } = problem.response();
      const encoding = mediaType(request) === PROTOBUF ? "protobuf" : "json";
      const answered = respond(printRefused(rpcCode(status), problem.message, encoding), encoding, status);
      const retryAfter = headers.get("retry-after");
      if (retryAfter !== null) answered.headers.set("retry-after", retryAfter);
      return answered;
    },
    async run({ body }, { traces }) {
      const refused =
        signal === null ? { count: 0, message: "" } : await refusing(() => traces.take({ signal, ...body }));
      return respond(printAccepted(refused, body.encoding, rejected), body.encoding, 200);
    },
  });
}

/** By name and not by class: Next's bundles and the server load the file twice. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && error.name === "MalformedSpans")
      throw new Problem(isTooLarge(error) ? "too_large" : "invalid_input", `${error.message}.`);
    throw error;
  }
}

function isTooLarge(error: Error): boolean {
  return "tooLarge" in error && error.tooLarge === true;
}

function respond(body: string | Uint8Array, encoding: OtlpRequest["encoding"], status: number): Response {
  const type = encoding === "protobuf" ? PROTOBUF : JSON_TYPE;
  return new Response(typeof body === "string" ? body : new Uint8Array(body), {
    status,
    headers: { "content-type": type, "cache-control": "no-store" },
  });
}

/** OTLP's gRPC status codes: INVALID_ARGUMENT, RESOURCE_EXHAUSTED, INTERNAL, UNAVAILABLE, UNKNOWN. */
function rpcCode(status: number): number {
  switch (status) {
    case 400:
    case 415:
      return 3;
    case 413:
      return 8;
    case 500:
      return 13;
    case 503:
      return 14;
    default:
      return 2;
  }
}
