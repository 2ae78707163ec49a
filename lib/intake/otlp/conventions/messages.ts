import { isJsonObject, type Json, type JsonObject } from "../../../session/json/json.ts";
import { embedded } from "../attributes.ts";
import type { MessagePart, SpanMessage } from "../span.ts";

type Role = SpanMessage["role"];

/** What the frameworks call those who speak. */
const ROLES: Readonly<Record<string, Role>> = {
  system: "system",
  developer: "system",
  user: "user",
  human: "user",
  assistant: "assistant",
  ai: "assistant",
  model: "assistant",
  tool: "tool",
  function: "tool",
};

/** Parts that stand below a name of their own: of Bedrock and Strands, of Gemini in JSON and in Python, of Genkit. */
const WRAPPED: Readonly<Record<string, string>> = {
  toolUse: "tool_call",
  toolResult: "toolResult",
  functionCall: "tool_call",
  functionResponse: "tool_call_response",
  function_call: "tool_call",
  function_response: "tool_call_response",
  toolRequest: "tool_call",
  toolResponse: "tool_call_response",
};

/**
 * Messages in whatever shape they stand: with `parts` (OpenTelemetry, Gemini), with `content` and `tool_calls` (OpenAI's
 * chats, alone or as `choices`), with typed content (Vercel's AI SDK, Bedrock, Genkit), or as items (OpenAI's Responses).
 * A text is one message of `role`; what is not understood is left out.
 */
export function messagesOf(value: Json | undefined, role: Role): SpanMessage[] {
  if (typeof value === "string") return value === "" ? [] : [said(role, value)];
  if (Array.isArray(value)) return value.flatMap((item) => messageOf(item, role));
  if (!isJsonObject(value)) return [];
  if (Array.isArray(value.messages)) return messagesOf(value.messages, role);
  if (Array.isArray(value.choices))
    return value.choices.flatMap((choice) => (isJsonObject(choice) ? messagesOf(choice.message, role) : []));
  return messageOf(value, role);
}

/** A message of nothing but text. */
export function said(role: Role, content: string): SpanMessage {
  return { role, name: null, parts: [{ type: "text", content }] };
}

/** The text of a message, and nothing else of it. */
export function textOf({ parts }: SpanMessage): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.content] : [])).join("\n");
}

/** Instructions: a text, or parts that have some. Null without any. */
export function instructionsOf(value: Json | undefined): string | null {
  const text = messagesOf(value, "system").map(textOf).join("\n\n");
  return text === "" ? null : text;
}

function messageOf(item: Json, role: Role): SpanMessage[] {
  if (typeof item === "string") return messagesOf(item, role);
  if (!isJsonObject(item)) return [];
  const parts = partsOf(item);
  const [alone] = parts;
  if (alone === undefined) return [];
  const answered = parts.every(({ type }) => type === "tool_call_response");
  return [
    {
      role: answered
        ? "tool"
        : (ROLES[text(item, "role", "type") ?? ""] ?? (alone.type === "tool_call" ? "assistant" : role)),
      // An item that is a call has its tool's name there.
      name: itemOf(item) ? null : text(item, "name"),
      parts,
    },
  ];
}

function partsOf(item: JsonObject): MessagePart[] {
  if (Array.isArray(item.parts)) return item.parts.flatMap((part) => partOf(part));
  const item_ = itemOf(item);
  if (item_) return [item_];
  const calls = list(item.tool_calls).flatMap(toolCallOf);
  const spoken = contentOf(item.content ?? item.contents ?? item.text);
  // OpenInference has a result of Anthropic's as what the user says, with the call's id.
  const isAnswer = ROLES[text(item, "role") ?? ""] === "tool" || text(item, "tool_call_id") !== null;
  const answers = isAnswer && spoken.every(({ type }) => type !== "tool_call_response");
  if (!answers) return [...spoken, ...calls];
  return [
    { type: "tool_call_response", id: text(item, "tool_call_id", "id"), response: responseOf(item.content ?? null) },
  ];
}

/** The items of OpenAI's Responses that are no messages; undefined for everything else. */
function itemOf(item: JsonObject): MessagePart | undefined {
  switch (item.type) {
    case "function_call":
    case "tool_call":
    case "tool-call":
    case "function_call_output":
    case "function_call_result":
    case "tool_call_response":
    case "tool-result":
    case "reasoning":
      return partOf(item)[0];
    default:
      return undefined;
  }
}

/** A text that is Bedrock's blocks, as Strands writes messages into its events: those blocks. Any other is itself. */
export function blocksIn(content: string): Json {
  const blocks = embedded(content);
  const isBlock = (block: Json) =>
    isJsonObject(block) && (block.type === "toolUse" || ["text", "toolUse", "toolResult"].includes(onlyName(block)));
  return Array.isArray(blocks) && blocks.length > 0 && blocks.every(isBlock) ? blocks : content;
}

function onlyName(block: JsonObject): string {
  const [name, ...others] = Object.keys(block);
  return others.length === 0 ? (name ?? "") : "";
}

function contentOf(content: Json | undefined): MessagePart[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", content }];
  return list(content).flatMap(partOf);
}

function partOf(part: Json): MessagePart[] {
  if (typeof part === "string") return contentOf(part);
  if (!isJsonObject(part)) return [];
  switch (part.type) {
    case "text":
    case "input_text":
    case "output_text":
      return contentOf(part.content ?? part.text ?? "");
    case "reasoning":
    case "thinking":
      return reasoningOf(part);
    case "tool_call":
    case "tool-call":
    case "tool_use":
    case "toolUse":
    case "function_call":
      return toolCallOf(part);
    case "toolResult":
      return [{ type: "tool_call_response", id: callIdOf(part), response: blockResponse(part.content ?? null) }];
    case "tool_call_response":
    case "tool-result":
    case "tool_result":
    case "function_call_output":
    case "function_call_result":
      return [
        {
          type: "tool_call_response",
          id: callIdOf(part),
          response: responseOf(part.response ?? part.result ?? part.output ?? part.content ?? null),
        },
      ];
    case undefined:
      return untypedOf(part);
    default:
      return [{ type: "other", value: part }];
  }
}

/** A part that does not say of what kind it is: its name does, or that it is a text. Another is kept as it came. */
function untypedOf(part: JsonObject): MessagePart[] {
  if (onlyName(part) === "cachePoint") return [];
  for (const [name, type] of Object.entries(WRAPPED)) {
    const value = Object.hasOwn(part, name) ? part[name] : null;
    if (isJsonObject(value)) return partOf({ ...value, type });
  }
  const { reasoningContent, thought } = part;
  if (isJsonObject(reasoningContent))
    return isJsonObject(reasoningContent.reasoningText) ? reasoningOf(reasoningContent.reasoningText) : [];
  if (thought === true || typeof part.reasoning === "string")
    return reasoningOf({ content: part.text ?? part.reasoning ?? "" });
  if (part.content !== undefined || part.text !== undefined) return contentOf(part.content ?? part.text);
  return Object.keys(part).length === 0 ? [] : [{ type: "other", value: part }];
}

function reasoningOf(part: JsonObject): MessagePart[] {
  const content = text(part, "content", "text", "thinking");
  if (content !== null) return [{ type: "reasoning", content }];
  const summary = list(part.summary).flatMap((one) => (isJsonObject(one) ? (text(one, "text") ?? []) : []));
  return summary.length > 0 ? [{ type: "reasoning", content: summary.join("\n") }] : [];
}

/** A call as OpenAI's chats, Responses, the AI SDK, Anthropic or OpenTelemetry write it. */
function toolCallOf(call: Json): MessagePart[] {
  if (!isJsonObject(call)) return [];
  const of = isJsonObject(call.function) ? call.function : call;
  const name = text(of, "name", "toolName");
  if (name === null) return [];
  const given = of.arguments ?? of.input ?? of.args ?? null;
  return [
    { type: "tool_call", id: callIdOf(call), name, arguments: typeof given === "string" ? embedded(given) : given },
  ];
}

/** `call_id` goes before `id`: an item of the Responses has both, and its output names the first. */
function callIdOf(of: JsonObject): string | null {
  return text(of, "call_id", "callId", "toolCallId", "tool_call_id", "tool_use_id", "toolUseId", "ref", "id");
}

/** What a tool answered; the AI SDK and OpenAI wrap it together with what kind of value it is, Bedrock as a block of JSON. */
function responseOf(value: Json): Json {
  if (typeof value === "string") return embedded(value);
  const [block, ...others] = list(value);
  if (isJsonObject(block) && others.length === 0 && onlyName(block) === "json") return block.json ?? null;
  if (isJsonObject(value) && typeof value.type === "string") {
    if ((value.type === "json" || value.type === "text" || value.type === "error-text") && "value" in value)
      return value.value ?? null;
    if (value.type === "text" && typeof value.text === "string") return embedded(value.text);
  }
  return value;
}

/** What a tool answered in Bedrock's blocks: what the only one holds. */
export function blockResponse(value: Json): Json {
  const [block, ...others] = list(value);
  const isText = isJsonObject(block) && others.length === 0 && onlyName(block) === "text";
  return responseOf(isText ? (block.text ?? null) : value);
}

function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

function text(of: JsonObject, ...names: string[]): string | null {
  for (const name of names) {
    const value = Object.hasOwn(of, name) ? of[name] : null;
    if (typeof value === "string" && value !== "") return value;
  }
  return null;
}
