import type { MetaProperty } from "../../plan/call.ts";
import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import type { RegisteredTool } from "../tools/tools.ts";
import { JSON_TEXT } from "./answer-json.ts";
import { mergedAll, propertiesOf, requiredOf, target } from "./schema-parts.ts";
import { closedObject, isFreeText, REFERENCE, type StrictWriter } from "./strict-schema.ts";

/** What the calls of a request can name. */
export interface Scene {
  /** Kinds of messages, for `_scopes` (P28). */
  kinds: readonly string[];
  /** Empty where there are none (P25). */
  instances: readonly string[];
  /** Saved requests, for `_delegate` (P27). */
  delegates: readonly string[];
}

/** Root object, list of calls, call: what a call's own values lie in. */
const LEVELS_ABOVE = 3;

/** A tool's schema with what its `allOf` and `$ref` add; null when it is not one object's keywords. */
function wholeSchema({ schema }: RegisteredTool): JsonObject | null {
  const whole = target(schema, schema);
  return isJsonObject(whole) ? mergedAll(whole, schema) : null;
}

/** A call of this tool in the strict subset (P19): what a model may say in it, and no more. */
export function callSchema(tool: RegisteredTool, scene: Scene, writer: StrictWriter): JsonObject {
  const whole = wholeSchema(tool) ?? {};
  const required = requiredOf(whole);
  const declared = Object.entries(propertiesOf(whole));
  const place = { document: tool.schema, level: LEVELS_ABOVE };
  const parameters = declared
    .filter(([key]) => !key.startsWith("_"))
    .map(([key, schema]): [string, JsonObject] => [
      key,
      required.includes(key)
        ? writer.write(schema, { ...place, references: true })
        : writer.writeOptional(schema, { ...place, references: true }),
    ]);
  const meta = metaSchemas(tool, scene).map(([name, schema]): [string, JsonObject] => [
    name,
    required.includes(name)
      ? writer.write(schema, { ...place, references: false })
      : writer.writeOptional(schema, { ...place, references: false }),
  ]);
  const further: [string, JsonObject][] = takesFurther(tool)
    ? [[JSON_TEXT, { type: ["string", "null"], description: "The parameters, as the JSON text of an object" }]]
    : [];
  return {
    // The model writes the keys in this order: the tool first, which tells the alternatives apart.
    ...closedObject({
      _tool: { type: "string", const: tool.name },
      _id: { type: "string", description: "Unique in the plan" },
      ...Object.fromEntries([...meta.filter(([name]) => name === "_reasoningForCall"), ...parameters, ...further]),
      ...Object.fromEntries(meta.filter(([name]) => name !== "_reasoningForCall")),
    }),
    description: wordsOf(tool),
  };
}

/** The tool as a native function (P19a): its parameters, each of which may be a reference, and optional meta-properties. */
export function functionTool(tool: RegisteredTool, name: string, scene: Scene): JsonObject {
  const whole = wholeSchema(tool) ?? tool.schema;
  const { properties: _, required: __, ...rest } = whole;
  const { $defs = null, definitions = null } = tool.schema;
  const parameters = Object.entries(propertiesOf(whole))
    .filter(([key]) => !key.startsWith("_"))
    .map(([key, schema]): [string, Json] => [
      key,
      isJsonObject(schema) && isFreeText(schema) ? schema : { anyOf: [schema, REFERENCE] },
    ]);
  return {
    type: "function",
    name,
    description: wordsOf(tool),
    parameters: {
      ...rest,
      ...($defs === null ? {} : { $defs }),
      ...(definitions === null ? {} : { definitions }),
      type: "object",
      properties: Object.fromEntries([...parameters, ...metaSchemas(tool, scene)]),
      required: requiredOf(whole).filter((key) => key !== "_tool" && key !== "_id"),
    },
    // Strict functions know no optional parameters.
    strict: false,
  };
}

/** The meta-properties that a model may say: not what the tool prescribes by `const` (P2), not an activity's result (P2a). */
function metaSchemas(tool: RegisteredTool, scene: Scene): [MetaProperty, Json][] {
  const declared = propertiesOf(wholeSchema(tool) ?? {});
  const usual = usualMeta(tool, scene);
  return META_TO_SAY.flatMap((name): [MetaProperty, Json][] => {
    if (name === "_output" && tool.has_activity) return [];
    if (!Object.hasOwn(declared, name)) return usual[name] === undefined ? [] : [[name, usual[name]]];
    const schema = declared[name] ?? {};
    return isJsonObject(schema) && Object.hasOwn(schema, "const") ? [] : [[name, schema]];
  });
}

/** In the order in which they are asked for. The tool and the id come with every call. */
const META_TO_SAY = [
  "_reasoningForCall",
  "_scopes",
  "_instance",
  "_delegate",
  "_activity",
  "_outputPath",
  "_output",
] as const satisfies readonly MetaProperty[];

/** The schemas of what a tool's own schema leaves open. `_activity` is for tools that ask for it. */
function usualMeta(tool: RegisteredTool, { kinds, instances, delegates }: Scene): Partial<Record<MetaProperty, Json>> {
  return {
    _reasoningForCall: { type: "string", description: "Why this call, in a sentence" },
    _scopes: {
      type: "array",
      items: { type: "string", enum: [...kinds] },
      description: "Kinds of messages to pass on",
    },
    ...(instances.length > 0
      ? { _instance: { type: "string", enum: [...instances], description: "Null for each instance" } }
      : {}),
    // Something else carries the other tools out.
    ...(tool.has_activity
      ? {}
      : {
          _delegate: {
            type: "string",
            enum: [...delegates, "anonymous"],
            description: "Who carries it out in an isolated context; null for none",
          },
          _output: { description: "The result, where you know it now; null to be asked for it later" },
        }),
    _outputPath: { type: "string", description: "Where the result goes: †state.path" },
  };
}

function takesFurther(tool: RegisteredTool): boolean {
  const whole = wholeSchema(tool);
  if (whole === null) return true;
  const parameters = Object.keys(propertiesOf(whole)).filter((key) => !key.startsWith("_"));
  return (whole.additionalProperties ?? (parameters.length === 0 && hasMore(whole))) !== false;
}

/** Whether a schema without parameters says anything of them all the same. */
function hasMore(schema: JsonObject): boolean {
  return ["anyOf", "oneOf", "patternProperties"].some((key) => schema[key] !== undefined);
}

function wordsOf({ description, requires_confirmation }: RegisteredTool): string {
  return [description, requires_confirmation ? "Each execution requires approval." : ""]
    .filter((part) => part !== "")
    .join("\n");
}
