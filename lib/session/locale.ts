/** The languages of the user interface and of messages to users. */
export const LOCALES = ["en", "ru"] as const;
export type Locale = (typeof LOCALES)[number];
