import { isJsonObject, type JsonObject } from "../../../session/json/json.ts";
import { type Attributes, countIn, objectOf } from "../attributes.ts";
import type { Doing, ModelDoing, Span } from "../span.ts";
import { genAiModel, genAiTool } from "./gen-ai.ts";
import { instructionsOf, messagesOf } from "./messages.ts";

/** The scope of Google's Agent Development Kit, in each of its languages. */
const SCOPE = "gcp.vertex.agent";

/**
 * Google's Agent Development Kit: what it says beyond OpenTelemetry's conventions. In JS, JSON within its attributes has
 * the names of Gemini's API, in Python those of its own classes (`function_call`, `system_instruction`). Null for other
 * spans, and for its agents. Source: `src/google/adk/telemetry/tracing.py` of https://github.com/google/adk-python
 */
export function adkDoing(span: Span, attributes: Attributes): Doing | null {
  if (span.scope.name !== SCOPE) return null;
  if (span.attributes["gen_ai.operation.name"] === "execute_tool" || span.name.startsWith("execute_tool "))
    return tool(span, attributes);
  const request = attributes.json("gcp.vertex.agent.llm_request");
  return isJsonObject(request) ? model(genAiModel(span, attributes), request, attributes) : null;
}

/** A span of a tool that failed has nothing but its name. Parallel calls have one more span, of their results together. */
function tool(span: Span, attributes: Attributes): Doing {
  const told = genAiTool(span, attributes);
  if (told.tool.startsWith("(merged")) return { kind: "other" };
  attributes.value("gcp.vertex.agent.llm_request", "gcp.vertex.agent.llm_response");
  return {
    ...told,
    arguments: told.arguments ?? attributes.json("gcp.vertex.agent.tool_call_args") ?? null,
    result: told.result ?? attributes.json("gcp.vertex.agent.tool_response") ?? null,
  };
}

function model(told: ModelDoing, request: JsonObject, attributes: Attributes): ModelDoing {
  const answer = objectOf(attributes.json("gcp.vertex.agent.llm_response"));
  const { systemInstruction, system_instruction, ...parameters } = objectOf(request.config);
  const input = messagesOf(request.contents, "user");
  const output = messagesOf(answer.content, "assistant");
  const usage = objectOf(answer.usageMetadata ?? answer.usage_metadata);
  return {
    ...told,
    instructions: told.instructions ?? instructionsOf(systemInstruction ?? system_instruction),
    input: input.length > 0 ? input : told.input,
    output: output.length > 0 ? output : told.output,
    input_tokens: told.input_tokens ?? countIn(usage, "promptTokenCount", "prompt_token_count"),
    output_tokens: told.output_tokens ?? countIn(usage, "candidatesTokenCount", "candidates_token_count"),
    parameters: { ...told.parameters, ...parameters },
  };
}
