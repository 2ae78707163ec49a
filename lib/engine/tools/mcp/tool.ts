import type { CallToolResult, Tool } from "@modelcontextprotocol/client";
import { isJsonObject, type Json, type JsonObject } from "../../../session/json/json.ts";
import { readJson } from "../../../session/json/json-text.ts";
import { DEEPEST_RESULT, LARGEST_RESULT } from "../../result-bounds.ts";
import { ActivityError } from "../activity.ts";

/** What an MCP tool is to plans. */
export interface McpTool {
  name: string;
  description: string;
  schema: JsonObject;
  idempotent: boolean;
  /** It says of itself that it may destroy something. */
  destructive: boolean;
  /** It says of itself that it changes nothing. */
  reads: boolean;
}

/** Reads a tool as a server lists it: what it takes, and as `_output` what it gives (P1). */
export function readMcpTool({ name, description, inputSchema, outputSchema, annotations }: Tool): McpTool {
  const input = jsonOf(inputSchema);
  const schema = isJsonObject(input) ? input : {};
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  return {
    name,
    description: description ?? annotations?.title ?? "",
    schema: outputSchema ? { ...schema, properties: { ...properties, _output: jsonOf(outputSchema) } } : schema,
    idempotent: annotations?.readOnlyHint === true || annotations?.idempotentHint === true,
    destructive: annotations?.destructiveHint === true && annotations.readOnlyHint !== true,
    reads: annotations?.readOnlyHint === true,
  };
}

/**
 * The result of a call: its structured content; else its text, read as JSON when it is an object or array; else its
 * content as it is. Throws an `ActivityError` when the tool says that it failed, or the result is out of bounds.
 */
export function readMcpResult({ isError, structuredContent, content }: CallToolResult): Json {
  const texts = content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const text = texts.join("\n");
  if (isError) throw new ActivityError("tool_error", text || "The tool failed and did not say why");
  if (structuredContent !== undefined) return jsonOf(structuredContent);
  if (texts.length < content.length) return jsonOf(content);
  const read = readJson(text, DEEPEST_RESULT, "as_written");
  return read.ok && typeof read.value === "object" && read.value !== null
    ? bounded(read.value, text)
    : bounded(text, text);
}

function jsonOf(value: unknown): Json {
  const text = JSON.stringify(value);
  const read = readJson(text, DEEPEST_RESULT, "as_written");
  if (!read.ok) throw new ActivityError("invalid_answer", `The result of the tool is invalid: ${read.flaw.message}`);
  return bounded(read.value, text);
}

function bounded(value: Json, text: string): Json {
  if (text.length <= LARGEST_RESULT) return value;
  throw new ActivityError("answer_too_large", "The result of the tool exceeds the size limit");
}
