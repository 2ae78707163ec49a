import { createOpenAI } from "@ai-sdk/openai";
import { LegacyOpenTelemetry, OpenTelemetry } from "@ai-sdk/otel";
import { generateText, isStepCount, type ModelMessage, registerTelemetry, tool } from "ai";
import { FIND_ORDER, findOrder, findOrderInput, INSTRUCTIONS, QUESTIONS, REFUND, refund, refundInput } from "./shop.ts";
import { CONVERSATION, FORM, MODEL_URL, startTelemetry } from "./telemetry.ts";

/** Vercel's AI SDK: its current telemetry with OpenAI's Responses, its older one with chat completions. */
const provider = startTelemetry("shop");
const openai = createOpenAI({ baseURL: MODEL_URL, apiKey: "none" });
registerTelemetry(FORM === "older" ? new LegacyOpenTelemetry() : new OpenTelemetry({ runtimeContext: true }));

const messages: ModelMessage[] = [];
for (const question of QUESTIONS) {
  messages.push({ role: "user", content: question });
  const { responseMessages } = await generateText({
    model: FORM === "older" ? openai.chat("stand-in") : openai.responses("stand-in"),
    instructions: INSTRUCTIONS,
    messages,
    tools: {
      find_order: tool({ description: FIND_ORDER, inputSchema: findOrderInput, execute: (input) => findOrder(input) }),
      refund: tool({ description: REFUND, inputSchema: refundInput, execute: (input) => refund(input) }),
    },
    stopWhen: isStepCount(5),
    runtimeContext: { sessionId: CONVERSATION },
    telemetry: { functionId: "refunds", includeRuntimeContext: { sessionId: true } },
  });
  messages.push(...responseMessages);
}
await provider.shutdown();
