import { isJsonObject, type Json } from "../../../session/json/json.ts";
import type { Attributes } from "../attributes.ts";
import type { Doing, Span, SpanMessage } from "../span.ts";
import { genAiModel, genAiTool } from "./gen-ai.ts";
import { langChainGenerations, langChainMessages } from "./langchain.ts";
import { textOf } from "./messages.ts";

/**
 * LangSmith's runs, which its SDKs send with names of OpenTelemetry's older conventions. Null for spans that are none.
 * Source: `js/src/experimental/otel/translator.ts` of https://github.com/langchain-ai/langsmith-sdk
 */
export function langSmithDoing(span: Span, attributes: Attributes): Doing | null {
  switch (attributes.text("langsmith.span.kind")) {
    case null:
      return null;
    case "llm":
      return model(span, attributes);
    case "tool":
      return {
        ...genAiTool(span, attributes),
        arguments: alone(attributes.json("gen_ai.prompt"), "input"),
        result: alone(attributes.json("gen_ai.completion"), "output", "outputs"),
      };
    case "chain":
    case "prompt":
    case "parser":
    case "retriever":
      return {
        kind: "workflow",
        input: attributes.json("gen_ai.prompt") ?? null,
        output: alone(attributes.json("gen_ai.completion"), "output", "outputs"),
      };
    default:
      return { kind: "other" };
  }
}

function model(span: Span, attributes: Attributes): Doing {
  const prompt = langChainMessages(attributes.json("gen_ai.prompt"));
  const answer = langChainGenerations(attributes.json("gen_ai.completion"));
  const told = genAiModel(span, attributes);
  const output = answer.length > 0 ? answer : told.output;
  return { ...told, input: before(prompt.length > 0 ? prompt : told.input, output), output };
}

/**
 * The SDK writes an input down when it is sent: a list of messages that the agent has added to meanwhile has its own answer,
 * and what came after. An answer of words alone may have been given before, so that it counts only where the list cannot
 * be what was asked: it ends with what the agent said.
 */
function before(input: SpanMessage[], output: readonly SpanMessage[]): SpanMessage[] {
  const calls = new Set(callsOf(output));
  const words = output.map(textOf).join("\n");
  const isOver = input.at(-1)?.role === "assistant";
  const own =
    calls.size > 0
      ? input.findIndex((message) => callsOf([message]).some((id) => calls.has(id)))
      : input.findLastIndex((message) => isOver && message.role === "assistant" && textOf(message) === words);
  return own < 0 ? input : input.slice(0, own);
}

function callsOf(messages: readonly SpanMessage[]): string[] {
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "tool_call" && part.id !== null ? [part.id] : [])),
  );
}

/** What is wrapped as the only thing of this name. */
function alone(value: Json | undefined, ...names: string[]): Json {
  if (!isJsonObject(value)) return value ?? null;
  const [entry, ...others] = Object.entries(value);
  return entry !== undefined && others.length === 0 && names.includes(entry[0]) ? entry[1] : value;
}
