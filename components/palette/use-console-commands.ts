"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { LOCALES } from "@/components/i18n/locales.ts";
import { chooseLanguage, chooseTheme } from "@/components/shell/choices.ts";
import { THEMES } from "@/components/shell/theme.ts";
import { chooseFilesToImport } from "@/components/transfer/choose-files.ts";
import type { Conversation } from "@/db/repositories.ts";
import type { Command } from "./command.ts";

const PAGES = [
  { name: "conversations", href: "/", icon: "thread" },
  { name: "approvals", href: "/approvals", icon: "waiting" },
  { name: "agents", href: "/agents", icon: "manager" },
  { name: "plans", href: "/plans", icon: "delegate" },
  { name: "prompts", href: "/prompts", icon: "pencil" },
  { name: "compare", href: "/compare", icon: "compare" },
  { name: "connect", href: "/connect", icon: "otlp" },
] as const;

const THEME_ICON = { light: "sun", dark: "moon", system: "screen" } as const;

/** What can be done from every page: the pages, the conversations that were found, theme and language. */
export function useConsoleCommands(conversations: readonly Conversation[]): Command[] {
  const t = useTranslations();
  const router = useRouter();
  return [
    ...conversations.map<Command>((one) => ({
      id: `conversation-${one.id}`,
      group: "conversations",
      icon: "thread",
      label: one.title ?? one.subject ?? one.id,
      detail: [one.user_id, one.title || one.subject ? one.id : null].filter(Boolean).join(" · "),
      run: () => router.push(`/conversations/${encodeURIComponent(one.id)}${one.hit ? `?at=${one.hit.seq}` : ""}`),
    })),
    ...PAGES.map<Command>(({ name, href, icon }) => ({
      id: `page-${name}`,
      group: "pages",
      icon,
      label: t(`common.nav.${name}`),
      words: href,
      run: () => router.push(href),
    })),
    {
      id: "page-new",
      group: "pages",
      icon: "plus",
      label: t("palette.new"),
      words: "new",
      run: () => router.push("/new"),
    },
    {
      id: "import",
      group: "pages",
      icon: "import",
      label: t("transfer.menu.import"),
      words: "import upload ndjson jsonl",
      run: chooseFilesToImport,
    },
    {
      id: "page-api",
      group: "pages",
      icon: "api",
      label: t("palette.api"),
      words: "api docs openapi",
      run: () => router.push("/api-docs"),
    },
    ...THEMES.map<Command>((theme) => ({
      id: `theme-${theme}`,
      group: "settings",
      icon: THEME_ICON[theme],
      label: `${t("common.theme.label")}: ${t(`common.theme.${theme}`)}`,
      words: `theme ${theme}`,
      run: () => chooseTheme(theme),
    })),
    ...LOCALES.map<Command>((locale) => ({
      id: `language-${locale}`,
      group: "settings",
      icon: "web",
      label: `${t("common.language.label")}: ${t(`common.language.${locale}`)}`,
      words: `language язык ${locale}`,
      run: () => {
        chooseLanguage(locale);
        router.refresh();
      },
    })),
  ];
}
