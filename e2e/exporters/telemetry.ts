import { AsyncLocalStorage } from "node:async_hooks";
import { type Context, type ContextManager, context, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { OTLPTraceExporter as JsonExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { z } from "zod";

/** What a program is told by its environment. */
export const { TRACES_URL, MODEL_URL, CONVERSATION, ENCODING, FORM } = z
  .object({
    /** Where spans go. */
    TRACES_URL: z.url(),
    /** The stand-in for a model, with `/v1`. */
    MODEL_URL: z.url(),
    /** What the agent calls its conversation. */
    CONVERSATION: z.string().default(""),
    ENCODING: z.enum(["protobuf", "json"]).default("protobuf"),
    /** Which names a framework that has several uses for its spans. */
    FORM: z.enum(["current", "older"]).default("current"),
  })
  .parse(process.env);

/** Spans within spans over what waits. */
class AsyncContexts implements ContextManager {
  private readonly storage = new AsyncLocalStorage<Context>();

  active(): Context {
    return this.storage.getStore() ?? ROOT_CONTEXT;
  }

  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    active: Context,
    work: F,
    that?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return this.storage.run(active, () => work.apply(that, args));
  }

  bind<T>(active: Context, target: T): T {
    if (typeof target !== "function") return target;
    const bound = (...args: unknown[]) => this.storage.run(active, () => target(...args));
    return Object.assign(bound, target);
  }

  enable(): this {
    return this;
  }

  disable(): this {
    this.storage.disable();
    return this;
  }
}

/** Sets up OpenTelemetry as programs do that send their spans somewhere, and gives what ends it. */
export function startTelemetry(service: string): TracerProvider {
  const Exporter = ENCODING === "json" ? JsonExporter : ProtobufExporter;
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": service }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new Exporter({ url: TRACES_URL }) })],
  });
  context.setGlobalContextManager(new AsyncContexts());
  trace.setGlobalTracerProvider(provider);
  return provider;
}
