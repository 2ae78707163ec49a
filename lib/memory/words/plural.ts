import type { Locale } from "../../session/locale.ts";

/** A noun by the plural categories of its language; `other` stands for those that are missing. */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

const RULES: Record<Locale, Intl.PluralRules> = { en: new Intl.PluralRules("en"), ru: new Intl.PluralRules("ru") };

/** The form that goes with a count. */
export function pluralOf(locale: Locale, count: number, forms: Forms): string {
  return forms[RULES[locale].select(count)] ?? forms.other;
}
