"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { PICK } from "@/components/studio/header/run-menu.tsx";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { Menu, MenuItem } from "@/components/ui/menu.tsx";
import { useForks } from "./use-forks.ts";
import { nameOf } from "./use-name-of.ts";

/** The forks of the conversation with their steps; nothing without forks. */
export function ForksMenu() {
  const t = useTranslations("fork.menu");
  const router = useRouter();
  const { data } = useForks(useStudio((state) => state.conversationId));
  const forks = data?.items ?? [];
  if (forks.length === 0) return null;
  const count = data?.next ? `${forks.length}+` : String(forks.length);
  return (
    <Menu
      align="end"
      label={t("label", { count })}
      className={PICK}
      trigger={
        <>
          <Icon name="fork" size={14} className="text-fg-3" />
          <span className="text-fg-3 narrow:hidden">{t("forks")}</span>
          <b className="font-medium tabular-nums">{count}</b>
          <Icon name="down" size={12} />
        </>
      }
    >
      {forks.map((fork) => (
        <MenuItem key={fork.id} onSelect={() => router.push(`/conversations/${encodeURIComponent(fork.id)}`)}>
          <span className="max-w-50 truncate">{nameOf(fork)}</span>
          <span className="ml-auto pl-4 text-11 text-fg-3 tabular-nums">
            {t("step", { step: fork.forked_from?.seq ?? 0 })}
          </span>
        </MenuItem>
      ))}
    </Menu>
  );
}
