import type { Json } from "../../../session/json/json.ts";
import { type Attributes, countIn, embedded, objectOf } from "../attributes.ts";
import { type Doing, type Span, toolDoing } from "../span.ts";
import { messagesOf } from "./messages.ts";

/**
 * Genkit's actions: models, tools and flows. Null for spans that are none.
 * Source: `js/core/src/tracing/instrumentation.ts` of https://github.com/firebase/genkit
 */
export function genkitDoing(span: Span, attributes: Attributes): Doing | null {
  const type = attributes.text("genkit:type");
  if (type === null) return null;
  const input = () => attributes.json("genkit:input");
  const output = () => attributes.json("genkit:output");
  switch (attributes.text("genkit:metadata:subtype") ?? type) {
    case "model":
    case "background-model":
      return model(nameOf(span), input(), output());
    case "tool":
    case "tool.v2":
      return toolDoing({
        tool: nameOf(span),
        arguments: input() ?? null,
        result: output() ?? null,
      });
    case "flow":
    case "flowStep":
    case "util":
    case "helper":
      return { kind: "workflow", input: input() ?? null, output: output() ?? null };
    default:
      return { kind: "other" };
  }
}

/** A flow's name, which is the agent's for those who built it; null for other spans. */
export function flowName(span: Span): string | null {
  return span.attributes["genkit:metadata:subtype"] === "flow" ? nameOf(span) : null;
}

/** The session that a flow is given in its input: Genkit's spans name one only in its own chats. */
export function flowSession(span: Span): string | null {
  const input = span.attributes["genkit:input"];
  if (flowName(span) === null || typeof input !== "string") return null;
  const { sessionId } = objectOf(embedded(input));
  return typeof sessionId === "string" && sessionId !== "" ? sessionId : null;
}

function nameOf({ attributes, name }: Span): string {
  const own = attributes["genkit:name"];
  return typeof own === "string" && own !== "" ? own : name;
}

/** A model is named with the plugin that serves it, `googleai/gemini-2.5-flash`. */
function model(name: string, input: Json | undefined, output: Json | undefined): Doing {
  const { messages, config, ...beside } = objectOf(input);
  const answer = objectOf(output);
  const usage = objectOf(answer.usage);
  const plugin = /^([^/]+)\/(.+)$/u.exec(name);
  return {
    kind: "model",
    provider: plugin?.[1] ?? "",
    model: plugin?.[2] ?? name,
    response_id: null,
    finish_reason: typeof answer.finishReason === "string" ? answer.finishReason : null,
    instructions: null,
    input: messagesOf(messages, "user"),
    output: messagesOf(answer.message, "assistant"),
    input_tokens: countIn(usage, "inputTokens"),
    output_tokens: countIn(usage, "outputTokens"),
    parameters: { ...objectOf(config), ...beside },
  };
}
