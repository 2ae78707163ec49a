import { asText } from "../json/as-text.ts";
import type { Json } from "../json/json.ts";

/** Whether a message has a value as a word of its own. */
export function isNamed(value: Json, message: string): boolean {
  const text = asText(value);
  if (text === null || text.length < 2) return false;
  for (let at = message.indexOf(text); at !== -1; at = message.indexOf(text, at + 1)) {
    if (!isWordPart(message[at - 1]) && !isWordPart(message[at + text.length])) return true;
  }
  return false;
}

function isWordPart(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}
