"use client";

import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useHasPermission } from "@/components/access/use-has-permission.ts";
import { exportCase, exportConversation } from "@/components/transfer/transfers.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { Menu, MenuItem } from "@/components/ui/menu.tsx";
import { useStudio } from "../use-studio.ts";

const SaveCase = dynamic(() => import("@/components/suites/save-case.tsx").then((room) => room.SaveCase), {
  loading: () => null,
});

/** Print or export the conversation, or save it as a case of a suite. */
export function StudioMenu() {
  const t = useTranslations("studio.menu");
  const router = useRouter();
  const id = useStudio((state) => state.conversationId);
  // Of a session at its end, the whole of it.
  const step = useStudio(({ at, last }) => (at < last ? at : 0));
  const path = encodeURIComponent(id);
  const title = useStudio((state) => state.session.summary.title);
  const maySave = useHasPermission("operate");
  const [isSaving, setSaving] = useState(false);
  return (
    <>
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
        {maySave && (
          <MenuItem onSelect={() => setSaving(true)}>
            <Icon name="check" size={14} className="text-fg-3" />
            {t("suite")}
          </MenuItem>
        )}
        <MenuItem onSelect={() => void exportCase(id, step)}>
          <Icon name="export" size={14} className="text-fg-3" />
          {t("case")}
        </MenuItem>
      </Menu>
      {isSaving && <SaveCase conversation={id} title={title} step={step} onClose={() => setSaving(false)} />}
    </>
  );
}
