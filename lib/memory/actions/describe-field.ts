import type { Json, JsonObject } from "../../session/json/json.ts";
import { clip } from "../clip.ts";
import { plainName } from "../field.ts";
import type { Change, Words } from "../words/words.ts";

/** A person sees the whole value beside the sentence. */
const LONGEST_VALUE = 120;

/** A field's name in words; the portal's own where there are none. */
export function labelOf(field: string, { fields }: Pick<Words, "fields">): string {
  return Object.entries(fields).find(([name]) => plainName(name) === plainName(field))?.[1] ?? field;
}

/** The fields that are set, in words. */
export function changesOf(fields: JsonObject, words: Words): Change[] {
  return Object.entries(fields).map(([field, value]) => ({
    field: labelOf(field, words),
    value: valueIn(value, words),
  }));
}

/** A value in a sentence: dates, codes and numbers as they are, other texts quoted; null where it empties the field. */
export function valueIn(value: Json, words: Pick<Words, "quoted">): string | null {
  if (value === null || value === "") return null;
  const text = clip((typeof value === "string" ? value : JSON.stringify(value)).replace(/\s+/g, " "), LONGEST_VALUE);
  return typeof value !== "string" || /^[\w:.+@/-]+$/.test(text) ? text : words.quoted(text);
}
