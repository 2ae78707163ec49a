import { messages as en } from "./en.ts";
import type { Locale } from "./locales.ts";
import { messages as ru } from "./ru.ts";

/** The messages by namespace, typed by the English files. */
export type Messages = typeof en;

const MESSAGES = { en, ru } satisfies Record<Locale, object>;

/** All messages of a language. */
export function messagesOf(locale: Locale): (typeof MESSAGES)[Locale] {
  return MESSAGES[locale];
}
