import { isJsonObject, type Json } from "../../../session/json/json.ts";
import type { Attributes } from "../attributes.ts";
import type { Doing, MessagePart, Span, SpanMessage } from "../span.ts";
import { instructionsOf, messagesOf } from "./messages.ts";

/**
 * Mastra's own spans beside OpenTelemetry's conventions, in which its tools are told. A step of its model is the request
 * with its calls; the inference within it has the model's name and the tokens. Null for other spans.
 * Source: https://mastra.ai/docs/observability/tracing/overview
 */
export function mastraDoing({ attributes: all }: Span, attributes: Attributes): Doing | null {
  switch (all["mastra.span.type"]) {
    case "agent_run":
      return agent(attributes);
    case "model_step":
      return step(attributes);
    case "model_generation":
      return workflow(attributes, "model_generation");
    case "workflow_run":
    case "workflow_step":
      return workflow(attributes, String(all["mastra.span.type"]));
    default:
      return null;
  }
}

function agent(attributes: Attributes): Doing {
  const input = attributes.json("gen_ai.input.messages", "mastra.agent_run.input");
  const output = attributes.json("gen_ai.output.messages", "mastra.agent_run.output");
  return {
    kind: "agent",
    instructions: instructionsOf(attributes.json("gen_ai.system_instructions")),
    input: messagesOf(input, "user"),
    output: messagesOf(output, "assistant"),
  };
}

function workflow(attributes: Attributes, type: string): Doing {
  return {
    kind: "workflow",
    input: attributes.json(`mastra.${type}.input`) ?? null,
    output: attributes.json(`mastra.${type}.output`) ?? null,
  };
}

function step(attributes: Attributes): Doing {
  const output = attributes.json("mastra.model_step.output");
  const reason = isJsonObject(output) ? output.finishReason : undefined;
  return {
    kind: "model",
    provider: "",
    model: "",
    response_id: null,
    finish_reason: typeof reason === "string" ? reason : null,
    instructions: null,
    input: messagesOf(attributes.json("mastra.model_step.input"), "user").map(withCalls),
    output: answerOf(output),
    input_tokens: null,
    output_tokens: null,
    parameters: {},
  };
}

function answerOf(output: Json | undefined): SpanMessage[] {
  if (!isJsonObject(output)) return messagesOf(output, "assistant");
  const { text, toolCalls } = output;
  return messagesOf(
    [{ role: "assistant", content: text ?? "", tool_calls: Array.isArray(toolCalls) ? toolCalls : [] }],
    "assistant",
  );
}

/** Of the history a step has the texts alone; calls are shortened to `[tool: name]`, which nobody said. */
function withCalls(message: SpanMessage): SpanMessage {
  if (message.role !== "assistant") return message;
  return {
    ...message,
    parts: message.parts.flatMap((part) => (part.type === "text" ? callsIn(part.content) : [part])),
  };
}

function callsIn(content: string): MessagePart[] {
  const pieces = content.split(/\[tool: ([^\]\n]+)\]\n?/u);
  return pieces.flatMap((piece, index): MessagePart[] => {
    if (index % 2 === 1) return [{ type: "tool_call", id: null, name: piece, arguments: null }];
    return piece.trim() === "" ? [] : [{ type: "text", content: piece }];
  });
}
