import { isJsonObject, type Json } from "../../../session/json/json.ts";
import { type Attributes, embedded } from "../attributes.ts";
import { type Doing, type ModelDoing, type Span, type SpanMessage, type ToolDoing, toolDoing } from "../span.ts";
import { eventsOfTool, olderFinishReason, olderInput, olderOutput } from "./gen-ai-older.ts";
import { blockResponse, instructionsOf, messagesOf } from "./messages.ts";

const DETAILS = "gen_ai.client.inference.operation.details";

/**
 * OpenTelemetry's conventions for generative AI, their current names and the older ones, and Strands Agents, which has them
 * in events. Null for a span that has none.
 * Sources: https://opentelemetry.io/docs/specs/semconv/gen-ai/ and
 * https://strandsagents.com/latest/documentation/docs/user-guide/observability-evaluation/traces/
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
      return genAiTool(span, attributes);
    case "chat":
    case "text_completion":
    case "generate_content":
    case "response":
      return genAiModel(span, attributes);
    case null:
      // Before there were operations, a request for a model was told by whom it went to.
      return attributes.text("gen_ai.request.model", "gen_ai.response.model") === null
        ? null
        : genAiModel(span, attributes);
    default:
      return { kind: "other" };
  }
}

function agent(span: Span, attributes: Attributes): Doing {
  const input = messagesOf(detail(span, attributes, "gen_ai.input.messages"), "user");
  const output = messagesOf(detail(span, attributes, "gen_ai.output.messages"), "assistant");
  return {
    kind: "agent",
    instructions: instructionsOf(
      detail(span, attributes, "gen_ai.system_instructions") ?? attributes.json("system_prompt"),
    ),
    input: input.length > 0 ? input : olderInput(span, attributes),
    output: output.length > 0 ? output : olderOutput(span, attributes),
  };
}

function workflow(span: Span, attributes: Attributes): Doing {
  return {
    kind: "workflow",
    input: detail(span, attributes, "gen_ai.input.messages") ?? null,
    output: detail(span, attributes, "gen_ai.output.messages") ?? null,
  };
}

/** A tool's use, likewise. */
export function genAiTool(span: Span, attributes: Attributes): ToolDoing {
  const told = eventsOfTool(span);
  const result = attributes.json("gen_ai.tool.call.result") ?? told.result;
  return toolDoing({
    tool: attributes.text("gen_ai.tool.name") ?? span.name.replace(/^execute_tool /u, ""),
    call_id: attributes.text("gen_ai.tool.call.id"),
    arguments: attributes.json("gen_ai.tool.call.arguments") ?? told.arguments ?? null,
    result: result === undefined ? null : isStrands(span) ? blockResponse(result) : result,
  });
}

/** A request for a model, as these conventions tell it. */
export function genAiModel(span: Span, attributes: Attributes): ModelDoing {
  const input = withItems(messagesOf(detail(span, attributes, "gen_ai.input.messages"), "user"));
  const output = messagesOf(detail(span, attributes, "gen_ai.output.messages"), "assistant");
  const instructions = instructionsOf(detail(span, attributes, "gen_ai.system_instructions"));
  const reasons = attributes.json("gen_ai.response.finish_reasons");
  const reason = Array.isArray(reasons) ? reasons[0] : reasons;
  return {
    kind: "model",
    provider: attributes.text("gen_ai.provider.name", "gen_ai.system") ?? "",
    model: attributes.text("gen_ai.response.model", "gen_ai.request.model") ?? "",
    response_id: attributes.text("gen_ai.response.id"),
    finish_reason: typeof reason === "string" && reason !== "" ? reason : olderFinishReason(span),
    instructions,
    input: input.length > 0 ? input : withItems(olderInput(span, attributes)),
    output: output.length > 0 ? output : olderOutput(span, attributes),
    input_tokens: attributes.count("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"),
    output_tokens: attributes.count("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"),
    parameters: attributes.under("gen_ai.request."),
  };
}

/** Its tools answer in Bedrock's blocks; the scope's name in JS, and in Python. */
function isStrands({ scope }: Span): boolean {
  return scope.name === "strands-agents" || scope.name.startsWith("strands.");
}

/** Traceloop has the items of OpenAI's Responses as the JSON text of one message of the user: those items. */
function withItems(input: SpanMessage[]): SpanMessage[] {
  return input.flatMap((message) => {
    const [part, ...others] = message.parts;
    if (message.role !== "user" || part?.type !== "text" || others.length > 0) return [message];
    const items = embedded(part.content);
    return Array.isArray(items) && items.length > 0 && items.every(isItem) ? messagesOf(items, "user") : [message];
  });
}

function isItem(item: Json): boolean {
  if (!isJsonObject(item)) return false;
  if (typeof item.role === "string") return "content" in item;
  return typeof item.type === "string" && /^(?:function_call|function_call_output|reasoning)$/u.test(item.type);
}

/**
 * An attribute of the span or, as the conventions allow, of its events with the details of the operation: Strands has one
 * for each attribute.
 */
function detail(span: Span, attributes: Attributes, name: string): Json | undefined {
  const beside = span.events.findLast(({ name: event, attributes: details }) => event === DETAILS && name in details);
  const value = beside?.attributes[name];
  return attributes.json(name) ?? (typeof value === "string" ? embedded(value) : value);
}
