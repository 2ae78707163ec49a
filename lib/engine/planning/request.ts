import type { DataMessage } from "../../plan/message.ts";
import type { Json, JsonObject } from "../../session/json/json.ts";
import type { ModelRequest } from "../model.ts";
import type { RegisteredTool } from "../tools/tools.ts";
import { dataItem, inputItems, instancesOf, kindsOf, said } from "./input-items.ts";
import { instructionsFor } from "./instructions.ts";
import { functionNames } from "./native-calls.ts";
import type { ProposeInput } from "./port.ts";
import { propertiesOf } from "./schema-parts.ts";
import { closedObject, StrictWriter } from "./strict-schema.ts";
import { callSchema, functionTool, type Scene } from "./tool-schemas.ts";

/** The root object: what an output lies in. */
const LEVELS_ABOVE_OUTPUT = 1;

/**
 * The request for the next calls (P19): the strict format for a plan, native functions for words (P19a). Never both, or a
 * model would call functions and leave the plan, with what wires its calls together, empty.
 */
export function solutionRequest(input: ProposeInput): ModelRequest {
  const { ask, tools, context, delegates, output_schema, instructions, chain } = input;
  const scene: Scene = {
    kinds: kindsOf(context),
    instances: instancesOf(context),
    delegates: delegates.map(({ name }) => name),
  };
  const latent = tools.filter(({ has_activity }) => !has_activity).map(({ name }) => name);
  const names = functionNames(tools);
  const described = delegates.filter(({ description }) => description !== "");
  return {
    instructions: [
      ...(instructions === null ? [] : [instructions]),
      instructionsFor(ask, scene, latent),
      ...(described.length > 0
        ? [`Delegates:\n${described.map(({ name, description }) => `${name}: ${description}`).join("\n")}`]
        : []),
    ].join("\n\n"),
    input: inputItems(input),
    tools: ask === "text" ? tools.map((tool) => functionTool(tool, names.get(tool.name) ?? tool.name, scene)) : [],
    format: ask === "plan" ? { name: "solution", schema: solutionSchema(tools, scene, output_schema) } : null,
    previous_response_id: chain?.previous_response_id ?? null,
    store: chain !== null,
  };
}

/** One strict schema for `{calls, output}` (P19). */
function solutionSchema(tools: readonly RegisteredTool[], scene: Scene, outputSchema: Json | null): JsonObject {
  const writer = new StrictWriter();
  const calls = tools.map((tool) => callSchema(tool, scene, writer));
  const output = writer.writeOptional(outputSchema ?? true, {
    document: outputSchema ?? true,
    references: true,
    level: LEVELS_ABOVE_OUTPUT,
  });
  const root = closedObject({
    calls:
      calls.length > 0
        ? { type: "array", items: { anyOf: calls } }
        : { type: "array", items: { type: "null" }, maxItems: 0, description: "There are no tools" },
    output,
  });
  return withDefinitions(root, writer);
}

/** The request for a latent tool's result (P2a): its `_output` schema is the strict format. */
export function outputRequest(question: {
  tool: RegisteredTool;
  call: JsonObject;
  params: JsonObject;
  scopes: readonly DataMessage[];
}): ModelRequest {
  const { tool, call, params, scopes } = question;
  const writer = new StrictWriter();
  const place = { document: tool.schema, references: false, level: LEVELS_ABOVE_OUTPUT };
  const result = writer.write(outputSchemaOf(tool), place);
  return {
    instructions: `You carry out the tool "${tool.name}" yourself: no program does. Answer with one JSON object {"result": ...}, which holds its result and nothing else. A key that you leave out is null. Where the format takes {"_json": "..."}, write the value as JSON text.`,
    input: [
      ...scopes.map(dataItem),
      said({
        tool: tool.name,
        ...(tool.description === "" ? {} : { description: tool.description }),
        parameters: params,
        ...(typeof call._reasoningForCall === "string" ? { reason: call._reasoningForCall } : {}),
      }),
    ],
    tools: [],
    format: { name: "result", schema: withDefinitions(closedObject({ result }), writer) },
    previous_response_id: null,
    store: false,
  };
}

/** The schema of a tool's result; `true` where it has none. */
export function outputSchemaOf(tool: RegisteredTool): Json {
  return propertiesOf(tool.schema)._output ?? true;
}

function withDefinitions(schema: JsonObject, writer: StrictWriter): JsonObject {
  const $defs = writer.defs;
  return Object.keys($defs).length > 0 ? { ...schema, $defs } : schema;
}
