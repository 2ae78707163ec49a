import type { Target } from "./snippets.ts";

// Whole programs: `node e2e/exporters/record.ts` runs each as it is shown, and tests read what it sent.

const KEY = `headers: { authorization: \`Bearer \${process.env.OBELUS_KEY}\` }`;

export function aiSdk6(): string {
  return `// npm install ai@6 @ai-sdk/openai@3 zod @opentelemetry/api @opentelemetry/sdk-node
// Or ai@5 with @ai-sdk/openai@2.
import { openai } from "@ai-sdk/openai";
import { NodeSDK } from "@opentelemetry/sdk-node";
import { generateText, stepCountIs, tool } from "ai";
import { z } from "zod";

const sdk = new NodeSDK();
sdk.start();

await generateText({
  model: openai("gpt-5-mini"),
  prompt: "Where is order A-1042?",
  tools: {
    find_order: tool({
      description: "Looks up an order.",
      inputSchema: z.object({ order_id: z.string() }),
      execute: ({ order_id }) => ({ order_id, status: "lost" }),
    }),
  },
  stopWhen: stepCountIs(5),
  experimental_telemetry: {
    isEnabled: true,
    functionId: "support",
    metadata: { sessionId: "my-conversation" },
  },
});

await sdk.shutdown();`;
}

export function mastra(to: Target): string {
  return `// npm install @mastra/core@1 @mastra/observability@1 @mastra/otel-exporter@1 @opentelemetry/exporter-trace-otlp-proto@0.218 @ai-sdk/openai@3 zod
import { openai } from "@ai-sdk/openai";
import { Mastra } from "@mastra/core";
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { Observability } from "@mastra/observability";
import { OtelExporter } from "@mastra/otel-exporter";
import { z } from "zod";

const find_order = createTool({
  id: "find_order",
  description: "Looks up an order.",
  inputSchema: z.object({ order_id: z.string() }),
  execute: async ({ order_id }) => ({ order_id, status: "lost" }),
});
const support = new Agent({
  id: "support",
  name: "support",
  instructions: "You look up orders.",
  model: openai("gpt-5-mini"),
  tools: { find_order },
});

const exporters = [
  new OtelExporter({
    provider: {
      custom: {
        endpoint: "${to.origin}/v1/traces",
        protocol: "http/protobuf",${to.keyed ? `\n        ${KEY},` : ""}
      },
    },
  }),
];
const mastra = new Mastra({
  agents: { support },
  observability: new Observability({ configs: { otel: { serviceName: "my-agent", exporters } } }),
});

await mastra.getAgent("support").generate("Where is order A-1042?", {
  tracingOptions: { metadata: { sessionId: "my-conversation" } },
});

await mastra.shutdown();`;
}

export function adk(): string {
  return `// npm install @google/adk@2 zod @opentelemetry/api @opentelemetry/sdk-node
import { NodeSDK } from "@opentelemetry/sdk-node";
import { z } from "zod";

const sdk = new NodeSDK();
sdk.start();

// After the SDK has started: ADK takes its tracer when it is loaded.
const { FunctionTool, InMemoryRunner, LlmAgent } = await import("@google/adk");

const find_order = new FunctionTool({
  name: "find_order",
  description: "Looks up an order.",
  parameters: z.object({ order_id: z.string() }),
  execute: ({ order_id }) => ({ order_id, status: "lost" }),
});
const agent = new LlmAgent({ name: "support", model: "gemini-2.5-flash", tools: [find_order] });
const runner = new InMemoryRunner({ agent, appName: "shop" });
const session = { appName: "shop", userId: "me", sessionId: "my-conversation" };
await runner.sessionService.createSession(session);

const newMessage = { role: "user", parts: [{ text: "Where is order A-1042?" }] };
for await (const event of runner.runAsync({ ...session, newMessage })) void event;

await sdk.shutdown();`;
}

export function strands(): string {
  return `// npm install @strands-agents/sdk@1.16 @modelcontextprotocol/sdk openai@6 zod @opentelemetry/api@1.9 @opentelemetry/sdk-node@0.219
import { NodeSDK } from "@opentelemetry/sdk-node";
import { Agent, tool } from "@strands-agents/sdk";
import { OpenAIModel } from "@strands-agents/sdk/models/openai";
import { z } from "zod";

const sdk = new NodeSDK();
sdk.start();

const agent = new Agent({
  name: "support",
  model: new OpenAIModel({ api: "chat", modelId: "gpt-5-mini" }),
  tools: [
    tool({
      name: "find_order",
      description: "Looks up an order.",
      inputSchema: z.object({ order_id: z.string() }),
      callback: ({ order_id }) => ({ order_id, status: "lost" }),
    }),
  ],
  traceAttributes: { "session.id": "my-conversation" },
});
await agent.invoke("Where is order A-1042?");

await sdk.shutdown();`;
}

export function openAi(): string {
  return `// npm install openai@6 @opentelemetry/api @opentelemetry/instrumentation-openai @opentelemetry/sdk-node
import { trace } from "@opentelemetry/api";
import { registerInstrumentations } from "@opentelemetry/instrumentation";
import { OpenAIInstrumentation } from "@opentelemetry/instrumentation-openai";
import { NodeSDK } from "@opentelemetry/sdk-node";
import { createRequire } from "node:module";

const sdk = new NodeSDK();
sdk.start();
// Without this option the spans say what it cost, not what was said.
registerInstrumentations({ instrumentations: [new OpenAIInstrumentation({ captureMessageContent: true })] });
// After the instrumentation, and by require: an import is not instrumented without a loader.
const { OpenAI } = createRequire(import.meta.url)("openai") as typeof import("openai");

const openai = new OpenAI();
const parameters = { type: "object", properties: { order_id: { type: "string" } } };
const messages: import("openai").OpenAI.ChatCompletionMessageParam[] = [
  { role: "user", content: "Where is order A-1042?" },
];

// A span around what belongs together names the conversation.
const attributes = {
  "gen_ai.operation.name": "invoke_agent",
  "gen_ai.agent.name": "support",
  "gen_ai.conversation.id": "my-conversation",
};
await trace.getTracer("my-agent").startActiveSpan("invoke_agent support", { attributes }, async (span) => {
  for (let calls = true; calls; ) {
    const { choices } = await openai.chat.completions.create({
      model: "gpt-5-mini",
      messages,
      tools: [{ type: "function", function: { name: "find_order", parameters } }],
    });
    const [{ message }] = choices;
    messages.push(message);
    calls = message.tool_calls !== undefined;
    for (const { id, function: call } of message.tool_calls ?? []) {
      const { order_id } = JSON.parse(call.arguments);
      messages.push({ role: "tool", tool_call_id: id, content: JSON.stringify({ order_id, status: "lost" }) });
    }
  }
  span.end();
});

await sdk.shutdown();`;
}

export function langfuse(): string {
  return `// npm install @langfuse/openai@5 @langfuse/otel@5 @langfuse/tracing@5 openai@6 @opentelemetry/api@1.9 @opentelemetry/sdk-node@0.223 @opentelemetry/sdk-trace-base@2 @opentelemetry/exporter-trace-otlp-proto@0.223 @opentelemetry/exporter-trace-otlp-http@0.223
import { observeOpenAI } from "@langfuse/openai";
import { LangfuseSpanProcessor } from "@langfuse/otel";
import { propagateAttributes, startActiveObservation } from "@langfuse/tracing";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { NodeSDK } from "@opentelemetry/sdk-node";
import OpenAI from "openai";

const sdk = new NodeSDK({ spanProcessors: [new LangfuseSpanProcessor({ exporter: new OTLPTraceExporter() })] });
sdk.start();

const openai = observeOpenAI(new OpenAI());
const parameters = { type: "object", properties: { order_id: { type: "string" } } };
const question = "Where is order A-1042?";
const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: question }];

await propagateAttributes({ sessionId: "my-conversation" }, () =>
  startActiveObservation(
    "support",
    async (agent) => {
      agent.update({ input: question });
      for (;;) {
        const { choices } = await openai.chat.completions.create({
          model: "gpt-5-mini",
          messages: [...messages],
          tools: [{ type: "function", function: { name: "find_order", parameters } }],
        });
        const message = choices[0].message;
        messages.push(message);
        if (!message.tool_calls) return void agent.update({ output: message.content });
        for (const call of message.tool_calls) {
          if (call.type !== "function") continue;
          await startActiveObservation(
            "find_order",
            async (tool) => {
              const { order_id } = JSON.parse(call.function.arguments);
              const output = { order_id, status: "lost" };
              tool.update({ input: { order_id }, output });
              messages.push({ role: "tool", tool_call_id: call.id, content: JSON.stringify(output) });
            },
            { asType: "tool" },
          );
        }
      }
    },
    { asType: "agent" },
  ),
);

await sdk.shutdown();`;
}

export function langsmith(): string {
  return `// npm install langsmith@0.12 openai@6 @opentelemetry/api@1.9 @opentelemetry/sdk-node@0.223 @opentelemetry/sdk-trace-base@2 @opentelemetry/exporter-trace-otlp-proto@0.223 @opentelemetry/context-async-hooks@2
import { trace } from "@opentelemetry/api";
import { NodeSDK } from "@opentelemetry/sdk-node";
import { Client } from "langsmith";
import { initializeOTEL } from "langsmith/experimental/otel/setup";
import { traceable } from "langsmith/traceable";
import { wrapOpenAI } from "langsmith/wrappers";
import OpenAI from "openai";

// With LANGSMITH_TRACING=true and LANGSMITH_TRACING_MODE=otel in the environment.
const sdk = new NodeSDK();
sdk.start();
initializeOTEL({ globalTracerProvider: trace.getTracerProvider(), skipGlobalContextManagerSetup: true });

const client = new Client();
const openai = wrapOpenAI(new OpenAI(), { client });
const find_order = traceable(async ({ order_id }: { order_id: string }) => ({ order_id, status: "lost" }), {
  name: "find_order",
  run_type: "tool",
  client,
});
const parameters = { type: "object", properties: { order_id: { type: "string" } } };

const support = traceable(
  async (question: string) => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: question }];
    for (;;) {
      const { choices } = await openai.chat.completions.create({
        model: "gpt-5-mini",
        messages: [...messages],
        tools: [{ type: "function", function: { name: "find_order", parameters } }],
      });
      const message = choices[0].message;
      messages.push(message);
      if (!message.tool_calls) return message.content;
      for (const call of message.tool_calls) {
        if (call.type !== "function") continue;
        const content = JSON.stringify(await find_order(JSON.parse(call.function.arguments)));
        messages.push({ role: "tool", tool_call_id: call.id, content });
      }
    }
  },
  { name: "support", client, metadata: { session_id: "my-conversation" } },
);
await support("Where is order A-1042?");

await client.awaitPendingTraceBatches();
await sdk.shutdown();`;
}

export function openLlmetry(to: Target): string {
  return `// npm install @traceloop/node-server-sdk@0.27 openai
import * as traceloop from "@traceloop/node-server-sdk";
import OpenAI from "openai";

traceloop.initialize({
  appName: "my-agent",
  baseUrl: "${to.origin}",${to.keyed ? "\n  apiKey: process.env.OBELUS_KEY," : ""}
  disableBatch: true,
  instrumentModules: { openAI: OpenAI },
});

const openai = new OpenAI();
const parameters = { type: "object", properties: { order_id: { type: "string" } } };
const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "Where is order A-1042?" }];

const findOrder = async ({ order_id }: { order_id: string }) => ({ order_id, status: "lost" });

await traceloop.withAssociationProperties({ session_id: "my-conversation" }, () =>
  traceloop.withAgent({ name: "support" }, async () => {
    for (;;) {
      const { choices } = await openai.chat.completions.create({
        model: "gpt-5-mini",
        messages,
        tools: [{ type: "function", function: { name: "find_order", parameters } }],
      });
      const message = choices[0].message;
      messages.push(message);
      if (!message.tool_calls) return message.content;
      for (const call of message.tool_calls) {
        if (call.type !== "function") continue;
        const { order_id } = JSON.parse(call.function.arguments);
        const output = await traceloop.withTool({ name: "find_order" }, findOrder, { order_id });
        messages.push({ role: "tool", tool_call_id: call.id, content: JSON.stringify(output) });
      }
    }
  }),
);

await traceloop.forceFlush();`;
}
