"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { ADMIN_PAGES } from "@/components/admin/admin-pages.ts";
import { GHOST_BUTTON } from "@/components/shell/ghost-button.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu.tsx";
import { askForAbsence, askForPassword, askToSignOut } from "./account-events.ts";
import { useCaller, useHasPassword } from "./caller-provider.tsx";
import { useHasPermission } from "./use-has-permission.ts";

/** The signed-in user's menu, with the pages of administrators. */
export function AccountMenu({ named = true }: { named?: boolean }) {
  const t = useTranslations("access.menu");
  const roles = useTranslations("access.roles");
  const router = useRouter();
  const caller = useCaller();
  const hasPassword = useHasPassword();
  const operates = useHasPermission("operate");
  const administers = useHasPermission("admin");
  const person = caller.kind === "person" ? caller : null;
  if (!person && !administers) return null;
  return (
    <Menu
      align="end"
      label={person ? t("account", { name: person.name, role: roles(person.role) }) : t("settings")}
      trigger={
        <>
          <Icon name={person ? "manager" : "settings"} />
          {person && named && <span className="max-w-32 truncate max-md:hidden">{person.name}</span>}
        </>
      }
      className={`${GHOST_BUTTON} flex-none gap-1.5 px-1.25`}
    >
      {person && (
        <p role="presentation" className="px-2 pt-1 pb-1.5 wrap-anywhere">
          <span className="block font-semibold">{person.name}</span>
          <span className="block text-11 text-fg-3">{roles(person.role)}</span>
        </p>
      )}
      {administers &&
        ADMIN_PAGES.map(({ name, href, icon }) => (
          <MenuItem key={name} onSelect={() => router.push(href)}>
            <Icon name={icon} size={14} className="text-fg-3" />
            {t(name)}
          </MenuItem>
        ))}
      {person && (
        <>
          {administers && <MenuSeparator />}
          {hasPassword && (
            <MenuItem onSelect={askForPassword}>
              <Icon name="lock" size={14} className="text-fg-3" />
              {t("password")}
            </MenuItem>
          )}
          {operates && (
            <MenuItem onSelect={askForAbsence}>
              <Icon name="clock" size={14} className="text-fg-3" />
              {t("absence")}
            </MenuItem>
          )}
          <MenuItem onSelect={askToSignOut}>
            <Icon name="leave" size={14} className="text-fg-3" />
            {t("sign_out")}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
