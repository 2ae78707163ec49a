"use client";

import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { LOCALES, type Locale } from "@/components/i18n/locales.ts";
import { Menu, MenuItem } from "@/components/ui/menu.tsx";
import { chooseLanguage } from "./choices.ts";
import { GHOST_BUTTON } from "./ghost-button.ts";

/** Switches the language without leaving the page. */
export function LanguageSwitch() {
  const t = useTranslations("common.language");
  const current = useLocale();
  const router = useRouter();
  const choose = (locale: Locale) => {
    chooseLanguage(locale);
    router.refresh();
  };
  return (
    <Menu
      align="end"
      label={`${t("label")}: ${t(current)}`}
      trigger={current.toUpperCase()}
      className={`${GHOST_BUTTON} px-1.5`}
    >
      {LOCALES.map((locale) => (
        <MenuItem key={locale} checked={locale === current} onSelect={() => choose(locale)}>
          <span lang={locale}>{t(locale)}</span>
        </MenuItem>
      ))}
    </Menu>
  );
}
