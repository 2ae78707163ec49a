import type { Locale } from "../lib/session/locale.ts";

export type { Locale };

/** The demo's texts in each language; everything else is the same. */
export type Texts = Record<Locale, object>;
