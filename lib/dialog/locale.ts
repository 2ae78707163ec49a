import type { Locale } from "../session/locale.ts";

/** The language of a text, by its letters; null if it has none. */
export function localeOf(text: string): Locale | null {
  if (/\p{Script=Cyrillic}/u.test(text)) return "ru";
  return /\p{Script=Latin}/u.test(text) ? "en" : null;
}
