import { SpanStatusCode, trace } from "@opentelemetry/api";
import { z } from "zod";
import { FIND_ORDER, findOrder, findOrderInput, INSTRUCTIONS, QUESTIONS, REFUND, refund, refundInput } from "./shop.ts";
import { CONVERSATION, MODEL_URL, startTelemetry } from "./telemetry.ts";

/** An agent without a framework, that tells of itself in OpenTelemetry's conventions for generative AI. */
const provider = startTelemetry("shop");
const tracer = trace.getTracer("shop");

const MODEL = "stand-in";
const TOOLS = [
  { name: "find_order", description: FIND_ORDER, run: (input: unknown) => findOrder(findOrderInput.parse(input)) },
  { name: "refund", description: REFUND, run: (input: unknown) => refund(refundInput.parse(input)) },
];

const toolCall = z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) });
const completion = z.object({
  id: z.string(),
  model: z.string(),
  choices: z.tuple([
    z.object({
      finish_reason: z.string(),
      message: z.object({
        role: z.literal("assistant"),
        content: z.string().nullable(),
        tool_calls: z.array(toolCall).optional(),
      }),
    }),
  ]),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }),
});

type Message =
  | { role: "user"; content: string }
  | z.infer<typeof completion>["choices"][0]["message"]
  | { role: "tool"; tool_call_id: string; content: string };

const messages: Message[] = [];
for (const question of QUESTIONS) {
  messages.push({ role: "user", content: question });
  await tracer.startActiveSpan(
    "invoke_agent refunds",
    {
      attributes: {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": "openai",
        "gen_ai.agent.name": "refunds",
        "gen_ai.conversation.id": CONVERSATION,
        "gen_ai.input.messages": told(messages.slice(-1)),
      },
    },
    async (span) => {
      let called = true;
      while (called) called = await step();
      span.setAttribute("gen_ai.output.messages", told(messages.slice(-1)));
      span.end();
    },
  );
}
await provider.shutdown();

/** Asks the model and does what it wants; false when it wants nothing more. */
async function step(): Promise<boolean> {
  const answer = await ask();
  messages.push(answer);
  for (const call of answer.tool_calls ?? []) {
    messages.push({ role: "tool", tool_call_id: call.id, content: carryOut(call) });
  }
  return answer.tool_calls !== undefined;
}

function ask() {
  const attributes = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "openai",
    "gen_ai.request.model": MODEL,
    "gen_ai.request.temperature": 0,
    "gen_ai.conversation.id": CONVERSATION,
    "gen_ai.system_instructions": JSON.stringify([{ type: "text", content: INSTRUCTIONS }]),
    "gen_ai.input.messages": told(messages),
  };
  return tracer.startActiveSpan(`chat ${MODEL}`, { attributes }, async (span) => {
    const response = await fetch(`${MODEL_URL}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        model: MODEL,
        temperature: 0,
        messages: [{ role: "system", content: INSTRUCTIONS }, ...messages],
        tools: TOOLS.map(({ name, description }) => ({ type: "function", function: { name, description } })),
      }),
    });
    const { id, model, usage, choices } = completion.parse(await response.json());
    const [{ message, finish_reason }] = choices;
    span.setAttributes({
      "gen_ai.response.id": id,
      "gen_ai.response.model": model,
      "gen_ai.response.finish_reasons": [finish_reason],
      "gen_ai.usage.input_tokens": usage.prompt_tokens,
      "gen_ai.usage.output_tokens": usage.completion_tokens,
      "gen_ai.output.messages": told([message]),
    });
    span.end();
    return message;
  });
}

/** What a tool gives, or why it failed, for the model. */
function carryOut({ id, function: { name, arguments: given } }: z.infer<typeof toolCall>): string {
  const attributes = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": name,
    "gen_ai.tool.type": "function",
    "gen_ai.tool.call.id": id,
    "gen_ai.tool.call.arguments": given,
  };
  return tracer.startActiveSpan(`execute_tool ${name}`, { attributes }, (span) => {
    try {
      const result = JSON.stringify(TOOLS.find((tool) => tool.name === name)?.run(JSON.parse(given)));
      span.setAttribute("gen_ai.tool.call.result", result);
      return result;
    } catch (error) {
      const thrown = error instanceof Error ? error : new Error(String(error));
      span.recordException(thrown);
      span.setAttribute("error.type", thrown.name);
      span.setStatus({ code: SpanStatusCode.ERROR, message: thrown.message });
      return thrown.message;
    } finally {
      span.end();
    }
  });
}

/** Messages as the conventions have them. */
function told(all: readonly Message[]): string {
  return JSON.stringify(
    all.map((message) => {
      if (message.role === "tool") {
        const { role, tool_call_id, content } = message;
        return { role, parts: [{ type: "tool_call_response", id: tool_call_id, response: content }] };
      }
      const calls = message.role === "assistant" ? (message.tool_calls ?? []) : [];
      return {
        role: message.role,
        parts: [
          ...(message.content ? [{ type: "text", content: message.content }] : []),
          ...calls.map((call) => ({
            type: "tool_call",
            id: call.id,
            name: call.function.name,
            arguments: JSON.parse(call.function.arguments),
          })),
        ],
      };
    }),
  );
}
