"use client";

import { useTranslations } from "next-intl";
import { FailureButton } from "@/components/failure/failure-button.tsx";
import { FindButton } from "@/components/find/find-button.tsx";
import { useListAddress } from "@/components/studio/header/list-link.tsx";
import { StudioMenu } from "@/components/studio/header/studio-menu.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Link } from "@/components/ui/link.tsx";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import type { ShownConversationStatus } from "@/lib/session/session.ts";

/** Back link, title and errors of the conversation, on every tab. */
export function PhoneHeader({ title, status }: { title: string; status: ShownConversationStatus }) {
  const t = useTranslations();
  return (
    <header className="flex h-13 flex-none items-center gap-0.5 border-line-strong border-b bg-surface px-1">
      <Link
        href={useListAddress()}
        aria-label={t("studio.conversations")}
        className="inline-flex size-11 flex-none items-center justify-center rounded-2 text-fg-2"
      >
        <Icon name="left" />
      </Link>
      <h1 className="flex min-w-0 flex-1 items-center gap-1.5 font-semibold" title={title}>
        {status !== "done" && <StatusIcon status={status} label={t(`events.conversation_status.${status}`)} />}
        <span className="truncate">{title}</span>
      </h1>
      <FailureButton />
      <FindButton />
      <StudioMenu />
    </header>
  );
}
