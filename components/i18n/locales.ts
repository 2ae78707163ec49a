/** The languages of the console, the first being the one for everybody else. */
export const LOCALES = ["en", "ru"] as const;
export type Locale = (typeof LOCALES)[number];

/** Where a reader's choice is kept. */
export const LOCALE_COOKIE = "obelus-locale";

function localeOf(tag: string): Locale | undefined {
  const language = tag.trim().toLowerCase().split("-")[0];
  return LOCALES.find((locale) => locale === language);
}

/**
 * The language to answer in: what the reader chose, else the first of `Accept-Language` that the console speaks
 * (browsers send it in order of preference), else English.
 */
export function chooseLocale(chosen: string | undefined, acceptLanguage: string | null): Locale {
  const wanted = [chosen ?? "", ...(acceptLanguage ?? "").split(",").map((range) => range.split(";")[0] ?? "")];
  return wanted.map(localeOf).find((locale) => locale !== undefined) ?? LOCALES[0];
}
