"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { FindButton } from "@/components/find/find-button.tsx";
import { useGoToFinding } from "@/components/selection/use-go-to-finding.ts";
import { useListAddress } from "@/components/studio/header/list-link.tsx";
import { StudioMenu } from "@/components/studio/header/studio-menu.tsx";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Icon } from "@/components/ui/icon.tsx";
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
      <FailedChip />
      <FindButton />
      <StudioMenu />
    </header>
  );
}

/** What is shown of an error without a call. */
const EVENT = { tab: "event" } as const;

/** The number of errors, and a button to the next one, which wraps around, and its call. */
function FailedChip() {
  const t = useTranslations("studio.phone");
  const goTo = useGoToFinding(EVENT);
  const rows = useStudio((state) => state.timeline);
  const long = useStudio((state) => state.long);
  const count = useMemo(() => long?.errors ?? (rows ?? []).filter(({ error }) => error).length, [rows, long]);
  if (count === 0) return null;
  return (
    <button
      type="button"
      onClick={() => goTo("error", 1)}
      aria-label={t("showFailed", { count })}
      className="inline-flex h-11 flex-none items-center gap-1.5 rounded-2 bg-st-failed-bg px-2.5 font-medium text-st-failed whitespace-nowrap tabular-nums"
    >
      <Icon name="failed" />
      {t("failed", { count })}
    </button>
  );
}
