import { isJsonObject, type Json, type JsonObject } from "../../lib/session/json/json.ts";
import type { Locale } from "../../lib/session/locale.ts";
import { capture, phraseOf } from "./phrases.ts";
import type { Lookup } from "./script.ts";
import { fillParams, type Scope, valueAt } from "./templates.ts";

/** Adds the entry of each lookup to the values, which later lookups may use; null when one has none. */
export function lookUp(
  lookups: Readonly<Record<string, Lookup>>,
  values: JsonObject,
  { locale }: { locale: Locale },
): JsonObject | null {
  let known = values;
  for (const [name, lookup] of Object.entries(lookups)) {
    const entry = entryOf(lookup, known, locale);
    if (!entry) return null;
    known = { ...known, [name]: fillParams(entry, known, locale) };
  }
  return known;
}

function entryOf({ by, in: table, otherwise }: Lookup, scope: Scope, locale: Locale): JsonObject | null {
  const words = valueAt(scope, by);
  if (typeof words !== "string") return null;
  const entries = typeof table === "string" ? valueAt(scope, table) : table[locale];
  if (!Array.isArray(entries)) return null;
  return entries.filter(isJsonObject).find(({ said }) => isSaid(said, words)) ?? otherwise ?? null;
}

/** Whether a text matches an entry's phrases; an entry without phrases matches any text. */
function isSaid(phrase: Json | undefined, words: string): boolean {
  return typeof phrase !== "string" || capture(phraseOf(phrase), words, NO_DAY) !== null;
}

/** Entries capture no dates. */
const NO_DAY = new Date(0);
