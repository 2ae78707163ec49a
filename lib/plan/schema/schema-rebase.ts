import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import { refsOf } from "./schema-place.ts";

/** Where the whole stands in a part of it that refers to it; no definition of a tool begins with `_`. */
const WHOLE = "_tool";

/** References that a part keeps by carrying the definitions along. */
const TO_DEFINITIONS = /^#\/(\$defs|definitions)\//;

/** Whether a schema refers to itself, or to a part of it that is no definition: `#`, `#/properties/order`. */
export function refersToItself(schema: Json): boolean {
  return refsOf(schema).some((ref) => /^#(\/|$)/.test(ref) && !TO_DEFINITIONS.test(ref));
}

/** A part of such a schema by itself: the whole becomes a definition of it, and references lead there. */
export function rebased(part: JsonObject, whole: JsonObject): JsonObject {
  const { $schema } = whole;
  const { $defs: _own, definitions: _older, ...rest } = part;
  return {
    ...asObject(pointedIn(rest)),
    ...($schema === undefined ? {} : { $schema }),
    $defs: { [WHOLE]: pointedIn(whole) },
  };
}

function pointedIn(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(pointedIn);
  if (!isJsonObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]): [string, Json] => {
      // What these hold is data, whatever it looks like.
      if (key === "const" || key === "enum" || key === "default" || key === "examples") return [key, value];
      if (key !== "$ref" || typeof value !== "string" || !/^#(\/|$)/.test(value)) return [key, pointedIn(value)];
      return [key, `#/$defs/${WHOLE}${value.slice(1)}`];
    }),
  );
}

function asObject(value: Json): JsonObject {
  return isJsonObject(value) ? value : {};
}
