import type { Json } from "../../../session/json/json.ts";
import { type Attributes, embedded } from "../attributes.ts";
import type { Doing, Span } from "../span.ts";
import { olderInput, olderOutput } from "./gen-ai-older.ts";
import { instructionsOf, messagesOf } from "./messages.ts";

/**
 * OpenTelemetry's conventions for generative AI, their current names and the older ones. Null for a span that has none.
 * Source: https://opentelemetry.io/docs/specs/semconv/gen-ai/
 */
export function genAiDoing(span: Span, attributes: Attributes): Doing | null {
  const operation = attributes.text("gen_ai.operation.name");
  switch (operation) {
    case "invoke_agent":
      return agent(span, attributes);
    case "invoke_workflow":
    case "plan":
      return workflow(span, attributes);
    case "execute_tool":
      return tool(span, attributes);
    case "chat":
    case "text_completion":
    case "generate_content":
    case "response":
      return model(span, attributes);
    case null:
      // Before there were operations, a request for a model was told by whom it went to.
      return attributes.text("gen_ai.request.model", "gen_ai.response.model") === null ? null : model(span, attributes);
    default:
      return { kind: "other" };
  }
}

function agent(span: Span, attributes: Attributes): Doing {
  return {
    kind: "agent",
    input: messagesOf(detail(span, attributes, "gen_ai.input.messages"), "user"),
    output: messagesOf(detail(span, attributes, "gen_ai.output.messages"), "assistant"),
  };
}

function workflow(span: Span, attributes: Attributes): Doing {
  return {
    kind: "workflow",
    input: detail(span, attributes, "gen_ai.input.messages") ?? null,
    output: detail(span, attributes, "gen_ai.output.messages") ?? null,
  };
}

function tool(span: Span, attributes: Attributes): Doing {
  return {
    kind: "tool",
    tool: attributes.text("gen_ai.tool.name") ?? span.name.replace(/^execute_tool /u, ""),
    call_id: attributes.text("gen_ai.tool.call.id"),
    arguments: attributes.json("gen_ai.tool.call.arguments") ?? null,
    result: attributes.json("gen_ai.tool.call.result") ?? null,
    output_path: null,
    reads: [],
    delta: null,
  };
}

function model(span: Span, attributes: Attributes): Doing {
  const input = messagesOf(detail(span, attributes, "gen_ai.input.messages"), "user");
  const output = messagesOf(detail(span, attributes, "gen_ai.output.messages"), "assistant");
  const instructions = instructionsOf(detail(span, attributes, "gen_ai.system_instructions"));
  const reasons = attributes.json("gen_ai.response.finish_reasons");
  return {
    kind: "model",
    provider: attributes.text("gen_ai.provider.name", "gen_ai.system") ?? "",
    model: attributes.text("gen_ai.response.model", "gen_ai.request.model") ?? "",
    response_id: attributes.text("gen_ai.response.id"),
    finish_reason: Array.isArray(reasons) && typeof reasons[0] === "string" ? reasons[0] : null,
    instructions,
    input: input.length > 0 ? input : olderInput(span, attributes),
    output: output.length > 0 ? output : olderOutput(span, attributes),
    input_tokens: attributes.count("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"),
    output_tokens: attributes.count("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"),
    parameters: attributes.under("gen_ai.request."),
  };
}

/** An attribute of the span or, as the conventions allow, of its event with the details of the operation. */
function detail(span: Span, attributes: Attributes, name: string): Json | undefined {
  const beside = span.events.find((event) => event.name === "gen_ai.client.inference.operation.details");
  const value = beside?.attributes[name];
  return attributes.json(name) ?? (typeof value === "string" ? embedded(value) : value);
}
