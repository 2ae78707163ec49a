import type { Target } from "./snippets.ts";

export function otelEnv(to: Target): string {
  const key = to.keyed ? '\nexport OTEL_EXPORTER_OTLP_HEADERS="authorization=Bearer%20$OBELUS_KEY"' : "";
  return `export OTEL_EXPORTER_OTLP_ENDPOINT=${to.origin}
export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
export OTEL_TRACES_EXPORTER=otlp${key}`;
}

/** Environment variables of an exporter: endpoint and key. */
function exporterSettings({ origin, keyed }: Target): string {
  const url = `url: "${origin}/v1/traces"`;
  if (!keyed) return `{ ${url} }`;
  return `{\n  ${url},\n  headers: { authorization: \`Bearer \${process.env.OBELUS_KEY}\` },\n}`;
}

/** The setup of an OpenTelemetry exporter in JavaScript. */
function provider(to: Target, api = "trace"): string {
  return `import { ${api} } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";

const exporter = new OTLPTraceExporter(${exporterSettings(to)});
const provider = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] });
trace.setGlobalTracerProvider(provider);`;
}

const SHUT_DOWN = `// Before the process ends: sends what waits.
await provider.shutdown();`;

export function otelJs(to: Target): string {
  return `${provider(to, "context, trace")}

const tracer = trace.getTracer("my-agent");
const agent = tracer.startSpan("invoke_agent support", {
  attributes: {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "support",
    "gen_ai.conversation.id": "hello-opentelemetry",
  },
});
const tool = tracer.startSpan(
  "execute_tool orders.find",
  {
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "orders.find",
      "gen_ai.tool.call.arguments": JSON.stringify({ user: "me" }),
      "gen_ai.tool.call.result": JSON.stringify({ status: "shipped" }),
      // Optional: where the result goes in the agent's state. It draws edges between calls.
      "obelus.output_path": "†state.order",
    },
  },
  trace.setSpan(context.active(), agent),
);
tool.end();
agent.end();

${SHUT_DOWN}`;
}

export function langchain(to: Target): string {
  return `// npm install @arizeai/openinference-instrumentation-langchain
import { LangChainInstrumentation } from "@arizeai/openinference-instrumentation-langchain";
import * as callbacks from "@langchain/core/callbacks/manager";
${provider(to)}

new LangChainInstrumentation({ tracerProvider: provider }).manuallyInstrument(callbacks);

// Your chain or graph as usual. What names the conversation stands in the metadata:
// await graph.invoke({ messages }, { metadata: { session_id: "my-conversation" } });

${SHUT_DOWN}`;
}

export function vercel(to: Target): string {
  return `// npm install ai @ai-sdk/otel
import { OpenTelemetry } from "@ai-sdk/otel";
import { registerTelemetry } from "ai";
${provider(to)}

registerTelemetry(new OpenTelemetry());

// Your calls as usual: await generateText({ model, prompt, tools });

${SHUT_DOWN}`;
}

export function openAiAgents(to: Target): string {
  return `// npm install @openai/agents @arizeai/openinference-instrumentation-openai-agents
import { OpenAIAgentsInstrumentation } from "@arizeai/openinference-instrumentation-openai-agents";
import * as agents from "@openai/agents";
${provider(to)}

new OpenAIAgentsInstrumentation({ tracerProvider: provider }).manuallyInstrument(agents);

// Your agents as usual: await agents.run(agent, "Where is my order?");

${SHUT_DOWN}`;
}
