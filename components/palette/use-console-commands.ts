"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { askForPassword, askToSignOut } from "@/components/access/account-events.ts";
import { useCaller, useHasPassword } from "@/components/access/caller-provider.tsx";
import { useHasPermission } from "@/components/access/use-has-permission.ts";
import { ADMIN_PAGES } from "@/components/admin/admin-pages.ts";
import { LOCALES } from "@/components/i18n/locales.ts";
import { chooseLanguage, chooseTheme } from "@/components/shell/choices.ts";
import { THEMES } from "@/components/shell/theme.ts";
import { chooseFilesToImport } from "@/components/transfer/choose-files.ts";
import type { Conversation } from "@/lib/api/shapes.ts";
import type { Command } from "./command.ts";

const PAGES = [
  { name: "overview", href: "/overview", icon: "otlp" },
  { name: "conversations", href: "/", icon: "thread" },
  { name: "approvals", href: "/approvals", icon: "waiting" },
  { name: "agents", href: "/agents", icon: "manager" },
  { name: "tools", href: "/tools", icon: "call" },
  { name: "suites", href: "/suites", icon: "check" },
  { name: "judges", href: "/overview/judges", icon: "obelus" },
  { name: "rules", href: "/alert-rules", icon: "warn" },
  { name: "plans", href: "/plans", icon: "delegate" },
  { name: "prompts", href: "/prompts", icon: "pencil" },
  { name: "compare", href: "/compare", icon: "compare" },
  { name: "connect", href: "/connect", icon: "otlp" },
] as const;

/** Commands of callers who may send data. */
const WHAT_IS_TOLD = [
  { id: "page-new", icon: "plus", label: "palette.new", words: "new" },
  { id: "import", icon: "import", label: "transfer.menu.import", words: "import upload ndjson jsonl" },
] as const;

/** Commands of the signed-in user. */
const PASSWORD: Omit<Command, "label"> = {
  id: "password",
  group: "settings",
  icon: "lock",
  words: "password",
  run: askForPassword,
};
const SIGN_OUT: Omit<Command, "label"> = {
  id: "sign-out",
  group: "settings",
  icon: "leave",
  words: "sign out log out logout",
  run: askToSignOut,
};

const THEME_ICON = { light: "sun", dark: "moon", system: "screen" } as const;

/** Commands of every page: navigation, found conversations, theme and language. */
export function useConsoleCommands(conversations: readonly Conversation[]): Command[] {
  const t = useTranslations();
  const router = useRouter();
  const tells = useHasPermission("ingest");
  const administers = useHasPermission("admin");
  const isPerson = useCaller().kind === "person";
  const hasPassword = useHasPassword();
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
    ...(administers ? ADMIN_PAGES : []).map<Command>(({ name, href, icon }) => ({
      id: `page-${name}`,
      group: "pages",
      icon,
      label: t(`access.menu.${name}`),
      detail: t("access.menu.settings"),
      words: href,
      run: () => router.push(href),
    })),
    ...(tells ? WHAT_IS_TOLD : []).map<Command>(({ id, icon, label, words }) => ({
      ...{ id, icon, words },
      group: "pages",
      label: t(label),
      run: id === "import" ? chooseFilesToImport : () => router.push("/new"),
    })),
    {
      id: "page-api",
      group: "pages",
      icon: "api",
      label: t("palette.api"),
      words: "api docs openapi",
      run: () => router.push("/api-docs"),
    },
    ...(hasPassword ? [{ ...PASSWORD, label: t("access.menu.password") }] : []),
    ...(isPerson ? [{ ...SIGN_OUT, label: t("access.menu.sign_out") }] : []),
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
