import { rememberPreference } from "@/components/client/preference.ts";
import { LOCALE_COOKIE, type Locale } from "@/components/i18n/locales.ts";
import { THEME_COOKIE, type Theme } from "./theme.ts";

/** Sets the theme of this page and of later ones. */
export function chooseTheme(theme: Theme): void {
  rememberPreference(THEME_COOKIE, theme);
  document.documentElement.dataset.themeChoice = theme;
}

/** Sets the language of later pages; the open one has to be refreshed. */
export function chooseLanguage(locale: Locale): void {
  rememberPreference(LOCALE_COOKIE, locale);
}
