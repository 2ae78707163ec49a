import { isJsonObject, type Json, type JsonObject } from "../session/json/json.ts";

/** Schemas nested more deeply give null there. */
const DEEPEST = 20;

/**
 * A value that fits a JSON Schema, as small as can be: its `const`, `default`, first example or choice, else the least of its
 * type. Patterns and references are not read.
 */
export function stubOf(schema: Json, depth = 0): Json {
  if (!isJsonObject(schema) || depth > DEEPEST) return null;
  const { const: only, default: usual, examples, enum: choices, anyOf, oneOf, allOf } = schema;
  for (const given of [only, usual, firstOf(examples), firstOf(choices)]) if (given !== undefined) return given;
  const merged = Array.isArray(allOf) ? mergedOf(schema, allOf) : schema;
  const choice = firstOf(anyOf) ?? firstOf(oneOf);
  if (choice !== undefined && merged.type === undefined) return stubOf(choice, depth + 1);
  const type = Array.isArray(merged.type) ? merged.type[0] : (merged.type ?? typeIn(merged));
  switch (type) {
    case "object":
      return objectFor(merged, depth);
    case "array":
      return Array.from({ length: numberOf(merged.minItems) ?? 0 }, () => stubOf(merged.items ?? null, depth + 1));
    case "string":
      return "-".repeat(numberOf(merged.minLength) ?? 0);
    case "integer":
    case "number":
      return leastNumber(merged);
    case "boolean":
      return false;
    default:
      return null;
  }
}

function objectFor({ required, properties }: JsonObject, depth: number): JsonObject {
  const names = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  const known = isJsonObject(properties) ? properties : {};
  return Object.fromEntries(names.map((name) => [name, stubOf(known[name] ?? null, depth + 1)]));
}

function mergedOf(schema: JsonObject, parts: readonly Json[]): JsonObject {
  return Object.assign({}, schema, ...parts.filter(isJsonObject));
}

function typeIn({ properties, required, items }: JsonObject): string | undefined {
  if (properties !== undefined || required !== undefined) return "object";
  return items === undefined ? undefined : "array";
}

function leastNumber({ minimum, exclusiveMinimum, maximum, multipleOf }: JsonObject): number {
  const step = numberOf(multipleOf) ?? 1;
  const above = numberOf(exclusiveMinimum);
  const least = above === undefined ? numberOf(minimum) : Math.floor(above / step) * step + step;
  if (least !== undefined) return Math.ceil(least / step) * step;
  const most = numberOf(maximum);
  return most !== undefined && most < 0 ? Math.floor(most / step) * step : 0;
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function firstOf(value: Json | undefined): Json | undefined {
  return Array.isArray(value) ? value[0] : undefined;
}
