import type { Locale } from "../lib/session/locale.ts";

export type { Locale };

/** What a person reads of the demo, in each language; all else is the same. */
export type Texts = Record<Locale, object>;
