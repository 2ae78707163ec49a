import { createHash } from "node:crypto";
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { type ReadableSpan, TracerProvider } from "@opentelemetry/sdk-trace";
import type { Agents } from "../outgoing/egress.ts";
import type { PlannedSpan } from "./planned-span.ts";

/** The spans of a turn, under the run that they are of. */
export interface TurnSpans {
  runId: string;
  spans: readonly PlannedSpan[];
}

/** What became of an export. */
export type Exported =
  | { kind: "sent" }
  /** The collector does not take it, however often it is sent. */
  | { kind: "refused"; error: Error }
  | { kind: "unreachable"; error: Error };

/** Sends turns to the collector that the environment names, by the official SDK. */
export interface Collector {
  send(turns: readonly TurnSpans[]): Promise<Exported>;
  shutdown(): Promise<void>;
}

/** A request has no more: collectors bound it, and it is written in one go, during which nothing else happens here. */
const MOST_SPANS = 500;
const MOST_CHARACTERS = 2_000_000;

/** Endpoint, headers, compression and timeout are read from the environment by the exporter itself. */
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
    // The same whenever a turn is sent: a collector can tell that it has it already.
    idGenerator: { generateTraceId: () => ids.trace, generateSpanId: () => ids.span },
    // Spans are handed to the exporter a whole turn at a time, so that it is known what was sent.
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

  /** Makes a span of a turn; `begun` are those that were made before. */
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

/** Answers that say something about what was sent, and not about where to or by whom. */
const REFUSALS: readonly unknown[] = [400, 413, 422];

function isRefusal(error: Error): boolean {
  return "code" in error && REFUSALS.includes(error.code);
}

/** Of what takes room. */
function sizeOf({ attributes }: PlannedSpan): number {
  return Object.values(attributes).reduce<number>((sum, value) => sum + String(value).length, 0);
}

function idOf(what: string, of: string, digits: number): string {
  return createHash("sha256").update(`${what}:${of}`).digest("hex").slice(0, digits);
}
