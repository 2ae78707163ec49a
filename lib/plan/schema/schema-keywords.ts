import { isJsonObject, type Json } from "../../session/json/json.ts";

/** The keywords that a value can break. Others describe, or are not of JSON Schema. */
const KEYWORDS = new Set([
  "$ref",
  "$dynamicRef",
  "$recursiveRef",
  "type",
  "enum",
  "const",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "format",
  "items",
  "prefixItems",
  "additionalItems",
  "unevaluatedItems",
  "minItems",
  "maxItems",
  "uniqueItems",
  "contains",
  "properties",
  "patternProperties",
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
  "required",
  "minProperties",
  "maxProperties",
  "dependentRequired",
  "dependentSchemas",
  "dependencies",
]);

/** Keywords that look at a value as a whole, in ways that are not compared. */
export const UNCOMPARED = [
  "$dynamicRef",
  "$recursiveRef",
  "if",
  "unevaluatedItems",
  "unevaluatedProperties",
  "dependentSchemas",
  "dependencies",
];

/** Whether there is anything that a value could break. */
export function constrains(schema: Json): boolean {
  if (!isJsonObject(schema)) return schema === false;
  return Object.keys(schema).some((keyword) => KEYWORDS.has(keyword));
}
