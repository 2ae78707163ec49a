import { isJsonObject, type Json } from "../../../session/json/json.ts";
import { type Attributes, countIn, objectOf } from "../attributes.ts";
import { type Doing, type Span, toolDoing } from "../span.ts";
import { messagesOf } from "./messages.ts";

/**
 * Langfuse's SDKs with their own names. Null for spans that are no observations of theirs.
 * Source: https://langfuse.com/integrations/native/opentelemetry#property-mapping
 */
export function langfuseDoing(span: Span, attributes: Attributes): Doing | null {
  const type = attributes.text("langfuse.observation.type");
  const input = () => attributes.json("langfuse.observation.input");
  const output = () => attributes.json("langfuse.observation.output");
  switch (type) {
    case null:
      return null;
    case "agent":
      return {
        kind: "agent",
        instructions: null,
        input: messagesOf(input(), "user"),
        output: messagesOf(output(), "assistant"),
      };
    case "generation":
      return model(attributes, input(), output());
    case "tool":
      return toolDoing({
        tool: span.name,
        arguments: input() ?? null,
        result: output() ?? null,
      });
    case "span":
    case "chain":
    case "retriever":
      return { kind: "workflow", input: input() ?? null, output: output() ?? null };
    default:
      return { kind: "other" };
  }
}

/** An observation's level says whether it failed, also where its status does not. Null for other spans. */
export function langfuseFailure({ attributes }: Span): string | null {
  const { "langfuse.observation.level": level, "langfuse.observation.status_message": message } = attributes;
  if (level !== "ERROR") return null;
  return typeof message === "string" && message !== "" ? message : "error";
}

/** What a request has beside its messages, such as `tools`, is a parameter of it. */
function model(attributes: Attributes, input: Json | undefined, output: Json | undefined): Doing {
  const usage = objectOf(attributes.json("langfuse.observation.usage_details"));
  const parameters = objectOf(attributes.json("langfuse.observation.model.parameters"));
  const { messages: _, ...beside } = isJsonObject(input) && Array.isArray(input.messages) ? input : { messages: null };
  return {
    kind: "model",
    provider: attributes.text("gen_ai.provider.name", "gen_ai.system") ?? "",
    model: attributes.text("langfuse.observation.model.name", "gen_ai.response.model", "gen_ai.request.model") ?? "",
    response_id: attributes.text("gen_ai.response.id"),
    finish_reason: null,
    instructions: null,
    input: messagesOf(input, "user"),
    output: messagesOf(output, "assistant"),
    input_tokens: countIn(usage, "input", "input_tokens", "prompt_tokens", "promptTokens"),
    output_tokens: countIn(usage, "output", "output_tokens", "completion_tokens", "completionTokens"),
    parameters: { ...parameters, ...beside },
  };
}
