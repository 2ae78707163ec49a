import type { Locale } from "@/lib/session/locale.ts";

const INTER = new URL("@fontsource-variable/inter/files/inter-latin-wght-normal.woff2", import.meta.url);
const CYRILLIC = new URL("@fontsource-variable/inter/files/inter-cyrillic-wght-normal.woff2", import.meta.url);
const MONO = new URL(
  "@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2",
  import.meta.url,
);

/**
 * The fonts that every page of a language needs, by address. They are loaded with the page: a browser asks for a font
 * only when it has laid out text in it, draws the text in another one, and moves it when the font arrives.
 */
export const FONTS: Readonly<Record<Locale, readonly string[]>> = {
  en: [INTER, MONO].map(String),
  ru: [INTER, CYRILLIC, MONO].map(String),
};
