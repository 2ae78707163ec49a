import { _, type Ajv, type CodeKeywordDefinition, type KeywordCxt } from "ajv";
import { isJsonObject, isSameJson, type Json } from "../session/json/json.ts";

/**
 * Gives a compiler `const`, `enum` and `uniqueItems` that compare values as JSON. Ajv's own call what a value has under
 * `valueOf` and `toString`, which throws, and take its `constructor` for a class (P8). Equal entries are found in one
 * pass, not in pairs.
 */
export function compareAsJson<A extends Ajv>(ajv: A): A {
  for (const keyword of KEYWORDS) ajv.removeKeyword(String(keyword.keyword)).addKeyword(keyword);
  return ajv;
}

const KEYWORDS: CodeKeywordDefinition[] = [
  {
    keyword: "const",
    error: { message: "must be equal to constant", params: ({ schemaCode }) => _`{allowedValue: ${schemaCode}}` },
    code: (context) => failUnless<Json>(context, isSameJson),
  },
  {
    keyword: "enum",
    schemaType: "array",
    error: { message: "must be one of the values", params: ({ schemaCode }) => _`{allowedValues: ${schemaCode}}` },
    code: (context) => failUnless<Json[]>(context, (value, asked) => asked.some((each) => isSameJson(each, value))),
  },
  {
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    error: { message: "must not have duplicate entries", params: ({ params }) => _`${params.equal}` },
    code(context) {
      const { gen, data, schema } = context;
      if (schema !== true) return;
      const equal = gen.const("equal", _`${gen.scopeValue("func", { ref: equalEntries })}(${data})`);
      context.setParams({ equal });
      context.fail(_`${equal} !== null`);
    },
  },
];

/** As code of Ajv's own, whose faults are put into one list: those of functions are, each time, put into a new one. */
function failUnless<Asked>(context: KeywordCxt, holds: (value: Json, asked: Asked) => boolean): void {
  const { gen, data, schemaCode } = context;
  context.fail(_`!${gen.scopeValue("func", { ref: holds })}(${data}, ${schemaCode})`);
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
