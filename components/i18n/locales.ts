/** The console's languages; the first is the default. */
export const LOCALES = ["en", "ru"] as const;
export type Locale = (typeof LOCALES)[number];

/** The cookie with the reader's choice. */
export const LOCALE_COOKIE = "obelus-locale";

function localeOf(tag: string): Locale | undefined {
  const language = tag.trim().toLowerCase().split("-")[0];
  return LOCALES.find((locale) => locale === language);
}

/** Chooses the language: the reader's choice, else the first supported one of `Accept-Language`, else English. */
export function chooseLocale(chosen: string | undefined, acceptLanguage: string | null): Locale {
  const wanted = [chosen ?? "", ...(acceptLanguage ?? "").split(",").map((range) => range.split(";")[0] ?? "")];
  return wanted.map(localeOf).find((locale) => locale !== undefined) ?? LOCALES[0];
}
