import type { Json, JsonObject } from "../../session/json/json.ts";
import { clip } from "../clip.ts";
import { plainName } from "../field.ts";
import type { Change, Words } from "../words/words.ts";

/** The whole value is shown beside the sentence. */
const LONGEST_VALUE = 120;

/** A field's label; the portal's name if there is none. */
export function labelOf(field: string, { fields }: Pick<Words, "fields">): string {
  return Object.entries(fields).find(([name]) => plainName(name) === plainName(field))?.[1] ?? field;
}

/** Labels and values of the fields that are set. */
export function changesOf(fields: JsonObject, words: Words): Change[] {
  return Object.entries(fields).map(([field, value]) => ({
    field: labelOf(field, words),
    value: valueIn(value, words),
  }));
}

/** A value in a sentence: dates, codes and numbers unquoted, other texts quoted; null if it clears the field. */
export function valueIn(value: Json, words: Pick<Words, "quoted">): string | null {
  if (value === null || value === "") return null;
  const text = clip((typeof value === "string" ? value : JSON.stringify(value)).replace(/\s+/g, " "), LONGEST_VALUE);
  return typeof value !== "string" || /^[\w:.+@/-]+$/.test(text) ? text : words.quoted(text);
}
