"use client";

import { useTranslations } from "next-intl";
import { useSyncExternalStore } from "react";
import { Icon } from "@/components/ui/icon.tsx";
import { Menu, MenuItem } from "@/components/ui/menu.tsx";
import { chooseTheme } from "./choices.ts";
import { GHOST_BUTTON } from "./ghost-button.ts";
import { parseTheme, THEMES, type Theme } from "./theme.ts";

const ICON = { light: "sun", dark: "moon", system: "screen" } as const satisfies Record<Theme, string>;

function onChoice(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme-choice"] });
  return () => observer.disconnect();
}

/** Light, dark or system. The root's attribute stores the choice, and its script applies it. */
export function ThemeSwitch() {
  const t = useTranslations("common.theme");
  const current = useSyncExternalStore(
    onChoice,
    () => parseTheme(document.documentElement.dataset.themeChoice),
    () => "system" as const,
  );
  return (
    <Menu align="end" label={`${t("label")}: ${t(current)}`} trigger={<Icon name="theme" />} className={GHOST_BUTTON}>
      {THEMES.map((theme) => (
        <MenuItem key={theme} checked={theme === current} onSelect={() => chooseTheme(theme)}>
          <Icon name={ICON[theme]} size={14} className="text-fg-3" />
          {t(theme)}
        </MenuItem>
      ))}
    </Menu>
  );
}
