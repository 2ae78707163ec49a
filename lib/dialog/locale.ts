import type { Locale } from "../session/locale.ts";

/** The language that a text is written in, by its letters; null when it has none. */
export function localeOf(text: string): Locale | null {
  if (/\p{Script=Cyrillic}/u.test(text)) return "ru";
  return /\p{Script=Latin}/u.test(text) ? "en" : null;
}
