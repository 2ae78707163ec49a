import { OpenAIAgentsInstrumentation } from "@arizeai/openinference-instrumentation-openai-agents";
import * as agents from "@openai/agents";
import OpenAI from "openai";
import { FIND_ORDER, findOrder, findOrderInput, INSTRUCTIONS, QUESTIONS, REFUND, refund, refundInput } from "./shop.ts";
import { MODEL_URL, startTelemetry } from "./telemetry.ts";

/** OpenAI's Agents SDK, observed by OpenInference. An agent hands over to another; its chat is one trace and has no other name. */
const provider = startTelemetry("shop");
new OpenAIAgentsInstrumentation({ tracerProvider: provider }).manuallyInstrument(agents);

const { Agent, OpenAIProvider, Runner, tool, withTrace } = agents;
const refunds = new Agent({
  name: "refunds",
  model: "stand-in",
  instructions: INSTRUCTIONS,
  tools: [
    tool({
      name: "find_order",
      description: FIND_ORDER,
      parameters: findOrderInput,
      execute: (input) => findOrder(input),
    }),
    tool({ name: "refund", description: REFUND, parameters: refundInput, execute: (input) => refund(input) }),
  ],
});
const desk = Agent.create({
  name: "desk",
  model: "stand-in",
  instructions: "You hand over to who can help.",
  handoffs: [refunds],
});

const runner = new Runner({
  modelProvider: new OpenAIProvider({ openAIClient: new OpenAI({ baseURL: MODEL_URL, apiKey: "none" }) }),
});
await withTrace("shop chat", async () => {
  let said: agents.AgentInputItem[] = [];
  for (const question of QUESTIONS) {
    const result = await runner.run(desk, [...said, { role: "user", content: question }]);
    said = result.history;
  }
});
await provider.shutdown();
