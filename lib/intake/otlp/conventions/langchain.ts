import { isJsonObject, type Json, type JsonObject } from "../../../session/json/json.ts";
import { type Attributes, embedded } from "../attributes.ts";
import type { Doing, Span, SpanMessage } from "../span.ts";
import { messagesOf } from "./messages.ts";

/** LangChain's classes of messages, in its own order: parts of a streamed one have a class of theirs. */
const ROLES: Readonly<Record<string, SpanMessage["role"]>> = {
  HumanMessage: "user",
  AIMessage: "assistant",
  SystemMessage: "system",
  ToolMessage: "tool",
  FunctionMessage: "tool",
};

/**
 * Messages that LangChain wrote down with their classes: `{lc, id: […, "AIMessage"], kwargs}`, in a list, in a state of
 * `messages`, or in a request, which has a list of such lists. Empty for everything else.
 */
export function langChainMessages(value: Json | undefined): SpanMessage[] {
  const list = isJsonObject(value) ? value.messages : value;
  if (!Array.isArray(list)) return [];
  return list.flat().flatMap((item) => {
    const written = writtenMessage(item);
    return written ? messagesOf([written], "user") : [];
  });
}

/** The answer in `{generations: [[{message}]]}`, as LangChain writes it down. Empty for everything else. */
export function langChainGenerations(answer: Json | undefined): SpanMessage[] {
  const message = generated(answer);
  return message ? langChainMessages([message]) : [];
}

/** What OpenInference's attributes of a LangChain model leave out: the calls' ids, who served it, by which model. */
export function langChainModel(
  span: Span,
  answer: Json | undefined,
): { provider: string | null; model: string | null; response_id: string | null; output: SpanMessage[] | null } {
  const message = generated(answer);
  const kwargs = isJsonObject(message?.kwargs) ? message.kwargs : {};
  const about = isJsonObject(kwargs.response_metadata) ? kwargs.response_metadata : {};
  const output = langChainGenerations(answer);
  return {
    provider: textOf(about.model_provider) ?? textOf(metadataOf(span).ls_provider),
    model: textOf(about.model_name) ?? textOf(about.model),
    response_id: textOf(about.id) ?? textOf(kwargs.id),
    output: output.length > 0 ? output : null,
  };
}

/**
 * A graph of LangGraph that was asked from outside, where its state is messages: an agent. What it was given and what it
 * adds count as input and output, not the whole state. Null for its nodes and other chains.
 */
export function graphDoing(span: Span, attributes: Attributes): Doing | null {
  if (!isGraph(span)) return null;
  const given = attributes.json("input.value");
  const state = attributes.json("output.value");
  const input = stateMessages(given);
  const output = stateMessages(state);
  if (input.length === 0 && output.length === 0) return null;
  return {
    kind: "agent",
    instructions: null,
    input,
    output: output.slice(output.findLastIndex(({ role }) => role === "user") + 1),
  };
}

/** How a graph is named by who built it; null where it has LangGraph's own name, and for other spans. */
export function graphName(span: Span): string | null {
  return isGraph(span) && span.name !== "LangGraph" ? span.name : null;
}

/** Nodes of a graph, and what is done in them, name the node. */
function isGraph(span: Span): boolean {
  const { ls_integration, langgraph_node } = metadataOf(span);
  if (span.attributes["openinference.span.kind"] !== "CHAIN" || langgraph_node !== undefined) return false;
  return ls_integration === "langgraph" || span.name === "LangGraph";
}

function metadataOf({ attributes }: Span): JsonObject {
  const metadata = typeof attributes.metadata === "string" ? embedded(attributes.metadata) : attributes.metadata;
  return isJsonObject(metadata) ? metadata : {};
}

function stateMessages(state: Json | undefined): SpanMessage[] {
  const written = langChainMessages(state);
  return written.length > 0 || !isJsonObject(state) ? written : messagesOf(state.messages, "user");
}

/** The first answer to the first request of `{generations: [[{message}]]}`. */
function generated(answer: Json | undefined): JsonObject | undefined {
  const first = isJsonObject(answer) && Array.isArray(answer.generations) ? answer.generations.flat()[0] : undefined;
  return isJsonObject(first) && isJsonObject(first.message) ? first.message : undefined;
}

/** A message in the words of OpenAI's chats. */
function writtenMessage(item: Json): JsonObject | null {
  if (!isJsonObject(item) || item.lc === undefined || !isJsonObject(item.kwargs) || !Array.isArray(item.id))
    return null;
  const { kwargs } = item;
  const className = String(item.id.at(-1)).replace(/Chunk$/u, "");
  const role = ROLES[className] ?? textOf(kwargs.role);
  if (role === null) return null;
  const extra = isJsonObject(kwargs.additional_kwargs) ? kwargs.additional_kwargs : {};
  const calls = [kwargs.tool_calls, extra.tool_calls].find((list) => Array.isArray(list) && list.length > 0) ?? [];
  return {
    role,
    content: withoutCalls(kwargs.content ?? "", calls),
    tool_calls: calls,
    ...(textOf(kwargs.tool_call_id) !== null && { tool_call_id: textOf(kwargs.tool_call_id) }),
    ...(textOf(kwargs.name) !== null && { name: textOf(kwargs.name) }),
  };
}

/** Some providers have their calls in the content, too. */
function withoutCalls(content: Json, calls: Json): Json {
  if (!Array.isArray(content) || !Array.isArray(calls) || calls.length === 0) return content;
  return content.filter(
    (part) => !(isJsonObject(part) && /^(tool_use|tool_call|function_call)$/u.test(String(part.type))),
  );
}

function textOf(value: Json | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
