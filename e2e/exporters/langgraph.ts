import { LangChainInstrumentation } from "@arizeai/openinference-instrumentation-langchain";
import * as callbacks from "@langchain/core/callbacks/manager";
import { HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
import type { z } from "zod";
import { FIND_ORDER, findOrder, findOrderInput, INSTRUCTIONS, QUESTIONS, REFUND, refund, refundInput } from "./shop.ts";
import { CONVERSATION, MODEL_URL, startTelemetry } from "./telemetry.ts";

/** LangGraph's agent, its memory by thread, observed by OpenInference. */
const provider = startTelemetry("shop");
new LangChainInstrumentation({ tracerProvider: provider }).manuallyInstrument(callbacks);

const agent = createReactAgent({
  name: "refunds",
  llm: new ChatOpenAI({
    model: "stand-in",
    temperature: 0,
    apiKey: "none",
    configuration: { baseURL: MODEL_URL },
  }),
  tools: [
    tool((input: z.infer<typeof findOrderInput>) => JSON.stringify(findOrder(input)), {
      name: "find_order",
      description: FIND_ORDER,
      schema: findOrderInput,
    }),
    tool((input: z.infer<typeof refundInput>) => JSON.stringify(refund(input)), {
      name: "refund",
      description: REFUND,
      schema: refundInput,
    }),
  ],
  prompt: INSTRUCTIONS,
  checkpointer: new MemorySaver(),
});

for (const question of QUESTIONS) {
  await agent.invoke({ messages: [new HumanMessage(question)] }, { configurable: { thread_id: CONVERSATION } });
}
await provider.shutdown();
