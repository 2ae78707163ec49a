import type { ModelRequest } from "../engine/model.ts";
import type { JsonObject } from "../session/json/json.ts";
import { ChatReader } from "./chat-reader.ts";
import type { Wire } from "./wire.ts";

/** `POST /v1/chat/completions`. */
export const chatWire: Wire = {
  path: "/chat/completions",
  keepsResponses: false,
  // A local server may send its headers only when it has read the whole prompt.
  patience: { beginning: 240_000, silence: 240_000 },
  body: bodyOf,
  reader: (asked) => new ChatReader(asked),
};

/** Nothing is stored there by default, so `store` is not sent: some servers refuse what they do not know. */
function bodyOf({ instructions, input, tools, format }: ModelRequest): Record<string, unknown> {
  return {
    messages: [...(instructions === null ? [] : [{ role: "system", content: instructions }]), ...messagesOf(input)],
    ...(tools.length > 0 ? { tools: tools.map(chatTool) } : {}),
    ...(format ? { response_format: { type: "json_schema", json_schema: { strict: true, ...format } } } : {}),
    stream: true,
    stream_options: { include_usage: true },
  };
}

/** A function tool of the Responses API. */
function chatTool({ type: _, ...tool }: JsonObject): JsonObject {
  return { type: "function", function: tool };
}

type Message =
  | { role: string; content: string }
  | { role: "assistant"; content: string | null; tool_calls: ToolCall[] }
  | { role: "tool"; tool_call_id: string; content: string };
type ToolCall = { id: string; type: "function"; function: { name: string; arguments: string } };

/**
 * Input items as messages. Calls belong to the assistant's message before them. Messages of users that follow each other
 * are one message: the chat templates of many local models require that roles alternate.
 */
function messagesOf(items: readonly JsonObject[]): Message[] {
  const messages: Message[] = [];
  for (const item of items) {
    const last = messages.at(-1);
    if (item.type === "function_call") {
      const call = callOf(item);
      if (last && "tool_calls" in last) last.tool_calls.push(call);
      else if (last?.role === "assistant")
        messages.splice(-1, 1, { role: "assistant", content: last.content, tool_calls: [call] });
      else messages.push({ role: "assistant", content: null, tool_calls: [call] });
    } else if (item.type === "function_call_output") {
      messages.push({ role: "tool", tool_call_id: String(item.call_id), content: String(item.output) });
    } else if (item.role === "user" && last?.role === "user") last.content += `\n\n${item.content}`;
    else messages.push({ role: String(item.role), content: String(item.content) });
  }
  return messages;
}

function callOf(item: JsonObject): ToolCall {
  return {
    id: String(item.call_id),
    type: "function",
    function: { name: String(item.name), arguments: String(item.arguments) },
  };
}
