import { createHash } from "node:crypto";
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { type ReadableSpan, TracerProvider } from "@opentelemetry/sdk-trace";
import type { Agents } from "../outgoing/egress.ts";
import type { PlannedSpan } from "./planned-span.ts";

/** The spans of a turn by its run. */
export interface TurnSpans {
  runId: string;
  spans: readonly PlannedSpan[];
}

/** The result of an export. */
export type Exported =
  | { kind: "sent" }
  /** The collector refuses it permanently. */
  | { kind: "refused"; error: Error }
  | { kind: "unreachable"; error: Error };

/** Exports turns to the collector in the environment, with the official SDK. */
export interface Collector {
  send(turns: readonly TurnSpans[]): Promise<Exported>;
  shutdown(): Promise<void>;
}

/** The maximum number of spans per request: collectors limit requests, and serialization blocks the event loop. */
const MOST_SPANS = 500;
const MOST_CHARACTERS = 2_000_000;

/** The exporter reads endpoint, headers, compression and timeout from the environment. */
export function createCollector({ http, https }: Agents): Collector {
  const exporter = new OTLPTraceExporter({
    httpAgentOptions: (protocol) => (protocol === "https:" ? https : http),
  });
  const ids = { trace: "", span: "" };
  const ended: ReadableSpan[] = [];
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ "service.name": "obelus" }))
      .merge(detectResources({ detectors: [envDetector] })),
    // Deterministic ids: a collector can detect duplicates.
    idGenerator: { generateTraceId: () => ids.trace, generateSpanId: () => ids.span },
    // Spans are exported by whole turns, so that it is known what was sent.
    spanProcessors: [
      {
        onStart: () => undefined,
        onEnd: (span) => {
          ended.push(span);
        },
        forceFlush: () => Promise.resolve(),
        shutdown: () => Promise.resolve(),
      },
    ],
  });
  const tracer = provider.getTracer("obelus");

  /** Creates a span of a turn; `begun` are those created before. */
  function make(
    { key, parent, name, kind, start, end, attributes, error }: PlannedSpan,
    begun: Map<string, Span>,
  ): void {
    ids.span = idOf("span", key, 16);
    const above = parent === null ? undefined : begun.get(parent);
    const span = tracer.startSpan(
      name,
      { startTime: start, attributes, kind: kind === "client" ? SpanKind.CLIENT : SpanKind.INTERNAL },
      above ? trace.setSpan(ROOT_CONTEXT, above) : ROOT_CONTEXT,
    );
    begun.set(key, span);
    if (error !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
    span.end(end);
  }

  function post(): Promise<Exported> {
    return new Promise((resolve) => {
      exporter.export(ended.splice(0), ({ code, error = new Error("The export failed") }) => {
        if (code === 0) resolve({ kind: "sent" });
        else resolve({ kind: isRefusal(error) ? "refused" : "unreachable", error });
      });
    });
  }

  return {
    async send(turns) {
      let size = 0;
      for (const { runId, spans } of turns) {
        const begun = new Map<string, Span>();
        ids.trace = idOf("trace", runId, 32);
        for (const span of spans) {
          make(span, begun);
          size += sizeOf(span);
          if (ended.length < MOST_SPANS && size < MOST_CHARACTERS) continue;
          const exported = await post();
          if (exported.kind !== "sent") return exported;
          size = 0;
        }
      }
      return ended.length > 0 ? post() : { kind: "sent" };
    },
    shutdown: () => exporter.shutdown(),
  };
}

/** Status codes that are about the content, not about the address or the credentials. */
const REFUSALS: readonly unknown[] = [400, 413, 422];

function isRefusal(error: Error): boolean {
  return "code" in error && REFUSALS.includes(error.code);
}

/** The approximate size. */
function sizeOf({ attributes }: PlannedSpan): number {
  return Object.values(attributes).reduce<number>((sum, value) => sum + String(value).length, 0);
}

function idOf(what: string, of: string, digits: number): string {
  return createHash("sha256").update(`${what}:${of}`).digest("hex").slice(0, digits);
}
