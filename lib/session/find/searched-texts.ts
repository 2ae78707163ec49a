import { DEFINITIONS } from "../events/definitions.ts";
import { isEventType } from "../events/kinds.ts";
import { isJsonObject, type Json } from "../json/json.ts";
import { whereOf } from "./find-in-event.ts";

/** A value that is indexed for search, with its path in the payload. */
export interface SearchedText {
  path: string;
  text: string;
}

/**
 * The maximum indexed length, UTF-16: of a message, of any other value, and of all values of an event. A page of a book
 * has 2,000; payloads may have megabytes, whose every word would be indexed.
 */
const LONGEST = { message: 100_000, value: 2_000, event: 8_000 } as const;

/** Numbers that nearly every event of a kind has, and nobody searches for. */
const COUNTS = ["iteration", "branch", "attempt", "delay_ms", "input_tokens", "output_tokens", "version"];

/** The values of an event that are indexed for search: strings and numbers, up to limits (E14). */
export function searchedTexts(type: string, payload: Json): SearchedText[] {
  const leftOut = isEventType(type) ? DEFINITIONS[type].unsearched : [];
  if (leftOut === "all") return [];
  const isMessage = whereOf(type) === "message";
  const most = isMessage ? LONGEST.message : LONGEST.value;
  const found: SearchedText[] = [];
  let left: number = isMessage ? LONGEST.message : LONGEST.event;
  const look = (value: Json, path: string): void => {
    if (left <= 0) return;
    if (typeof value === "string" || typeof value === "number") {
      const text = String(value).slice(0, Math.min(most, left));
      left -= text.length;
      if (text !== "") found.push({ path, text });
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) look(item, below(path, String(index)));
    } else if (isJsonObject(value)) {
      for (const [name, item] of Object.entries(value))
        if (path !== "" || !(leftOut.includes(name) || COUNTS.includes(name))) look(item, below(path, name));
    }
  };
  look(payload, "");
  return found;
}

const below = (path: string, name: string) => (path === "" ? name : `${path}.${name}`);
