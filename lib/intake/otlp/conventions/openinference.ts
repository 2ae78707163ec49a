import { isJsonObject, type Json, type JsonObject } from "../../../session/json/json.ts";
import { type Attributes, embedded } from "../attributes.ts";
import { type Doing, type Span, type SpanMessage, toolDoing } from "../span.ts";
import { graphDoing, langChainMessages, langChainModel } from "./langchain.ts";
import { messagesOf } from "./messages.ts";

/**
 * OpenInference, as Phoenix and its instrumentations of LangChain, LangGraph, LlamaIndex, the OpenAI Agents SDK and
 * others speak it. Null for a span of another kind. Source: https://arize-ai.github.io/openinference/spec/
 */
export function openInferenceDoing(span: Span, attributes: Attributes): Doing | null {
  const kind = attributes.text("openinference.span.kind");
  if (kind === null) return null;
  switch (kind.toUpperCase()) {
    case "AGENT":
      return isTraceOfAgents(span) ? workflow(attributes) : agent(attributes);
    case "CHAIN":
      return graphDoing(span, attributes) ?? workflow(attributes);
    case "LLM":
      return model(span, attributes);
    case "TOOL":
      return tool(span, attributes);
    default:
      return { kind: "other" };
  }
}

function workflow(attributes: Attributes): Doing {
  return {
    kind: "workflow",
    input: attributes.json("input.value") ?? null,
    output: attributes.json("output.value") ?? null,
  };
}

function agent(attributes: Attributes): Doing {
  const input = messages(attributes, "llm.input_messages");
  const output = messages(attributes, "llm.output_messages");
  return {
    kind: "agent",
    instructions: null,
    input: input.length > 0 ? input : messagesOf(attributes.json("input.value"), "user"),
    output: output.length > 0 ? output : messagesOf(attributes.json("output.value"), "assistant"),
  };
}

function model(span: Span, attributes: Attributes): Doing {
  const parameters = attributes.json("llm.invocation_parameters") ?? {};
  const whole = attributes.json("input.value");
  const answer = attributes.json("output.value");
  const output = messages(attributes, "llm.output_messages");
  const langChain = langChainModel(span, answer);
  return {
    kind: "model",
    provider: attributes.text("llm.provider", "llm.system") ?? langChain.provider ?? "",
    model:
      attributes.text("llm.response.model_name") ??
      langChain.model ??
      attributes.text("llm.model_name", "llm.request.model_name") ??
      "",
    response_id: isJsonObject(answer) && typeof answer.id === "string" ? answer.id : langChain.response_id,
    finish_reason: attributes.text("llm.finish_reason"),
    instructions: null,
    input: inputOf(messages(attributes, "llm.input_messages"), whole),
    output: langChain.output ?? (output.length > 0 ? output : messagesOf(answer, "assistant")),
    input_tokens: attributes.count("llm.token_count.prompt"),
    output_tokens: attributes.count("llm.token_count.completion"),
    parameters: isJsonObject(parameters) ? parameters : {},
  };
}

/**
 * The messages as they were spread, but where the input itself is known to say more: LangChain's calls have ids only there,
 * and of the items of OpenAI's Responses the agent's own texts are left out of the spread ones.
 */
function inputOf(spread: SpanMessage[], whole: Json | undefined): SpanMessage[] {
  const langChain = langChainMessages(whole);
  if (langChain.length > 0) return langChain;
  if (spread.length > 0 && !Array.isArray(whole)) return spread;
  const items = messagesOf(whole, "user");
  // The AI SDK has them in its messages, the Responses beside.
  const instructions = items.some(({ role }) => role === "system")
    ? []
    : spread.filter(({ role }) => role === "system");
  return instructions.length + items.length >= spread.length ? [...instructions, ...items] : spread;
}

function tool(span: Span, attributes: Attributes): Doing {
  const result = attributes.json("output.value") ?? null;
  const message = toolMessage(result);
  return toolDoing({
    tool: handoverOf(span, attributes) ?? attributes.text("tool.name") ?? span.name,
    call_id: attributes.text("tool_call.id", "tool.id") ?? message?.id ?? null,
    arguments: attributes.json("input.value", "tool_call.function.arguments", "tool.parameters") ?? null,
    result: message ? message.content : result,
  });
}

/** LangChain's tools answer a message, which it writes down with its class: what was meant is its content. */
function toolMessage(result: Json): { id: string | null; content: Json } | null {
  if (!isJsonObject(result)) return null;
  const of = isJsonObject(result.kwargs)
    ? result.kwargs
    : isJsonObject(result.output)
      ? toolFields(result.output)
      : result;
  const id = of.tool_call_id;
  if (typeof id !== "string" || of.content === undefined) return null;
  return { id, content: typeof of.content === "string" ? embedded(of.content) : of.content };
}

function toolFields(output: JsonObject): JsonObject {
  return isJsonObject(output.kwargs) ? output.kwargs : output;
}

/** `…N.message.content`, `…N.message.tool_calls.M.tool_call.function.name` and their like. */
function messages(attributes: Attributes, prefix: string): SpanMessage[] {
  return attributes.list(prefix).flatMap((item) => {
    const message = isJsonObject(item) ? item.message : undefined;
    return isJsonObject(message) ? messagesOf([unwrapped(message)], "user") : [];
  });
}

function unwrapped(message: JsonObject): JsonObject {
  const { contents, tool_calls, ...rest } = message;
  return {
    ...rest,
    ...(Array.isArray(contents) && { content: contents.map((one) => part(inner(one, "message_content"))) }),
    ...(Array.isArray(tool_calls) && { tool_calls: tool_calls.map((one) => inner(one, "tool_call")) }),
  };
}

/** What a list's item says under its own name, `message_content.type` for instance. */
function inner(item: Json, name: string): Json {
  return isJsonObject(item) ? (item[name] ?? item) : item;
}

/** Calls and results within a content are named as the messages' own are, below a name. */
function part(content: Json): Json {
  if (!isJsonObject(content)) return content;
  if (isJsonObject(content.tool_call)) return { ...content.tool_call, type: "tool_call" };
  return content;
}

/** What OpenInference says of the OpenAI Agents SDK is told by instrumentations of these names, in JS and in Python. */
function isOfAgents({ scope }: Span): boolean {
  return /openai[-_]agents$/u.test(scope.name);
}

/** Whether an agent's span is none: a trace of the SDK, in which agents take turns. It is no node of their graph. */
function isTraceOfAgents(span: Span): boolean {
  return isOfAgents(span) && span.attributes["graph.node.id"] === undefined;
}

/** A handover is a call of a tool that the model knows by another name than the span has; null for other tools. */
function handoverOf(span: Span, attributes: Attributes): string | null {
  const to = /^handoff_to_(.+)$/u.exec(attributes.text("tool.name") ?? "")?.[1];
  if (to === undefined || !isOfAgents(span)) return null;
  return `transfer_to_${to.replace(/[^a-zA-Z0-9]/gu, "_")}`;
}
