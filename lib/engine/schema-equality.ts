import type { Ajv, FuncKeywordDefinition } from "ajv";
import type { DataValidateFunction } from "ajv/dist/types/index.js";
import { isJsonObject, isSameJson, type Json } from "../session/json.ts";

/**
 * Gives a compiler `const`, `enum` and `uniqueItems` that compare values as JSON. Ajv's own call what a value has under
 * `valueOf` and `toString`, which throws, and take its `constructor` for a class (P8). Equal entries are found in one
 * pass, not in pairs.
 */
export function compareAsJson<A extends Ajv>(ajv: A): A {
  for (const keyword of KEYWORDS) ajv.removeKeyword(String(keyword.keyword)).addKeyword(keyword);
  return ajv;
}

const KEYWORDS = [
  keywordOf({ keyword: "const" }, (asked: Json, value) => (isSameJson(asked, value) ? null : { allowedValue: asked })),
  keywordOf({ keyword: "enum", schemaType: "array" }, (asked: Json[], value) =>
    asked.some((each) => isSameJson(each, value)) ? null : { allowedValues: asked },
  ),
  keywordOf({ keyword: "uniqueItems", type: "array", schemaType: "boolean" }, (asked: boolean, value) =>
    asked && Array.isArray(value) ? equalEntries(value) : null,
  ),
];

/** A keyword of which `fault` gives what its error tells (as Ajv's own does), or null where the value fits. */
function keywordOf<Asked>(
  definition: Pick<FuncKeywordDefinition, "keyword" | "type" | "schemaType">,
  fault: (asked: Asked, value: Json) => Record<string, unknown> | null,
): FuncKeywordDefinition {
  return {
    ...definition,
    compile(asked: Asked) {
      const validate: DataValidateFunction = (value: Json) => {
        const params = fault(asked, value);
        validate.errors = params ? [{ keyword: String(definition.keyword), params }] : [];
        return params === null;
      };
      return validate;
    },
  };
}

function equalEntries(values: readonly Json[]): { i: number; j: number } | null {
  const seen = new Map<string, number>();
  for (const [i, value] of values.entries()) {
    const text = JSON.stringify(inKeyOrder(value));
    const j = seen.get(text);
    if (j !== undefined) return { i, j };
    seen.set(text, i);
  }
  return null;
}

/** The same value with the same text, whatever the order of its keys. */
function inKeyOrder(value: Json): Json {
  if (Array.isArray(value)) return value.map(inKeyOrder);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  // fromEntries defines own keys, so that one named __proto__ stays one.
  return Object.fromEntries(entries.map(([key, entry]) => [key, inKeyOrder(entry)]));
}
