import { z } from "zod";
import { printAccepted, printRefused } from "../../intake/otlp/answer.ts";
import type { Services } from "../../server/services.ts";
import { mediaType, readCompressed } from "../body.ts";
import { type Body, operation } from "../operation.ts";
import { Problem } from "../problem.ts";

/** The maximum size of a request, in bytes, before and after decompression. */
const MAX_BYTES = 20 * 1024 * 1024;

const PROTOBUF = "application/x-protobuf";
const JSON_TYPE = "application/json";

type SpanRequest = Parameters<Services["traces"]["take"]>[0];

const spansBody: Body<SpanRequest> = {
  content: { [PROTOBUF]: null, [JSON_TYPE]: z.looseObject({ resourceSpans: z.array(z.looseObject({})) }) },
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

const answer = z.looseObject({
  partialSuccess: z.object({ rejectedSpans: z.string(), errorMessage: z.string() }).optional(),
});

/** Ingests OpenTelemetry traces, at the exporters' default path and at one below /api (E15). */
export const postTraces = takesSpans("postTraces", "/v1/traces");
export const postOtlpTraces = takesSpans("postOtlpTraces", "/api/otlp/v1/traces");

function takesSpans(name: string, path: string) {
  return operation({
    name,
    permission: "ingest",
    method: "POST",
    path,
    summary:
      "Ingests OTLP/HTTP spans as protobuf or JSON, optionally compressed by gzip or deflate, up to 20 MB. The spans are on disk when the request is answered, and are mapped to a session afterwards.",
    body: spansBody,
    headers: { "Content-Encoding": "`gzip` or `deflate`." },
    answers: {
      200: {
        description:
          "ExportTraceServiceResponse, in the encoding of the request. Valid spans are stored; partialSuccess says how many were rejected, and why.",
        schema: answer,
      },
      400: { description: "The body cannot be read: google.rpc.Status, in the encoding of the request." },
      413: {
        description:
          "More than 20 MB, before or after decompressing, 50,000 spans or 1,000,000 fields: google.rpc.Status.",
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
      const rejected = await refusing(() => traces.take(body));
      return respond(printAccepted(rejected, body.encoding), body.encoding, 200);
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

function respond(body: string | Uint8Array, encoding: SpanRequest["encoding"], status: number): Response {
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
