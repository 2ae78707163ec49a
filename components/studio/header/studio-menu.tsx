"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { exportConversation } from "@/components/transfer/transfers.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { Menu, MenuItem } from "@/components/ui/menu.tsx";
import { useStudio } from "../use-studio.ts";

/** Print or export the conversation. */
export function StudioMenu() {
  const t = useTranslations("studio.menu");
  const router = useRouter();
  const id = useStudio((state) => state.conversationId);
  const path = encodeURIComponent(id);
  return (
    <Menu
      align="end"
      label={t("label")}
      trigger={<Icon name="more" />}
      className="inline-flex size-[var(--control)] flex-none items-center justify-center rounded-2 text-fg-2 hover:bg-hover hover:text-fg aria-expanded:bg-active"
    >
      <MenuItem onSelect={() => router.push(`/conversations/${path}/transcript`)}>
        <Icon name="thread" size={14} className="text-fg-3" />
        {t("transcript")}
      </MenuItem>
      <MenuItem onSelect={() => void exportConversation(id)}>
        <Icon name="export" size={14} className="text-fg-3" />
        {t("export")}
      </MenuItem>
    </Menu>
  );
}
