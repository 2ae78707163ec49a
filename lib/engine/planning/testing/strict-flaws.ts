import { isJsonObject, type Json, type JsonObject } from "../../../session/json/json.ts";

/** What the strict structured outputs of the Responses API take, as its guide lists it. */
const KEYWORDS = new Set([
  ...["type", "description", "enum", "const", "anyOf", "$ref", "$defs"],
  ...["properties", "required", "additionalProperties", "items", "minItems", "maxItems", "pattern", "format"],
  ...["multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
]);
const MOST_LEVELS = 10;

/** Everything in a schema that strict mode refuses; empty for a schema that it takes. */
export function strictFlaws(root: JsonObject): string[] {
  const flaws: string[] = [];
  if (root.type !== "object" || root.anyOf !== undefined) flaws.push("the root is no plain object");
  for (const name of Object.keys(record(root.$defs))) walk(record(root.$defs)[name] ?? null, `$defs/${name}`, 0);
  walk(root, "", 0);
  return flaws;

  function walk(schema: Json, at: string, level: number): void {
    if (!isJsonObject(schema)) return void flaws.push(`${at} is no schema`);
    for (const keyword of Object.keys(schema)) if (!KEYWORDS.has(keyword)) flaws.push(`${at} has ${keyword}`);
    if (schema.$ref !== undefined && Object.keys(schema).length > 1) flaws.push(`${at} has more than its $ref`);
    if (schema.$ref === undefined && schema.anyOf === undefined && schema.type === undefined)
      flaws.push(`${at} has no type`);
    if (level > MOST_LEVELS) flaws.push(`${at} lies too deep`);
    const properties = record(schema.properties);
    if (schema.type === "object") {
      if (schema.additionalProperties !== false) flaws.push(`${at} is open`);
      if (JSON.stringify(schema.required) !== JSON.stringify(Object.keys(properties)))
        flaws.push(`${at} has optional keys`);
    }
    for (const [key, child] of Object.entries(properties)) walk(child, `${at}/${key}`, level + 1);
    if (schema.items !== undefined) walk(schema.items, `${at}/[]`, level + 1);
    if (Array.isArray(schema.anyOf)) for (const each of schema.anyOf) walk(each, at, level);
  }
}

function record(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
