import type { Locale } from "../../session/locale.ts";

/** A noun by plural categories; `other` is the default. */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

const RULES: Record<Locale, Intl.PluralRules> = { en: new Intl.PluralRules("en"), ru: new Intl.PluralRules("ru") };

/** The form for a count. */
export function pluralOf(locale: Locale, count: number, forms: Forms): string {
  return forms[RULES[locale].select(count)] ?? forms.other;
}
