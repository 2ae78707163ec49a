"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { isAskedToWrite } from "@/components/compose/studio-box.tsx";
import { useShortcuts } from "@/components/keys/use-shortcuts.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import { ThreadPane } from "./thread-pane.tsx";

/** The collapsed thread with its counts; it expands over the graph. */
export function ThreadRail() {
  const t = useTranslations("thread");
  const messages = useStudio((state) => state.session.summary.message_count);
  const waiting = useStudio((state) => state.session.summary.awaiting.length);
  const escalated = useStudio((state) => state.session.summary.escalated);
  const [open, setOpen] = useState(false);
  useShortcuts(open ? { close: () => setOpen(false) } : {});
  // The outside system is the address: a link to the message box expands it.
  useEffect(() => {
    if (isAskedToWrite()) setOpen(true);
  }, []);
  const label = open ? t("close") : t("open");
  return (
    <div className="relative z-2 flex-none">
      <aside
        aria-label={t("title")}
        className="flex h-full w-10 flex-col items-center gap-1 border-line-strong border-r bg-surface pt-1.5"
      >
        <Button
          variant="ghost"
          square
          aria-expanded={open}
          aria-label={label}
          title={label}
          onClick={() => setOpen(!open)}
        >
          <Icon name={open ? "left" : "thread"} />
        </Button>
        <span
          role="img"
          aria-label={t("messages", { count: messages })}
          className="inline-flex h-4 min-w-4.25 items-center justify-center rounded-1 bg-active px-1 text-10 font-semibold text-fg-2 tabular-nums"
        >
          {messages}
        </span>
        {escalated && <StatusIcon status="escalated" label={t("alert")} className="mt-1.5" />}
        {waiting > 0 && (
          <StatusIcon status="waiting" label={t("waitingCount", { count: waiting })} className="mt-1.5" />
        )}
      </aside>
      {open && (
        <div className="absolute inset-y-0 left-10 w-82 border-line-strong border-r bg-surface shadow-3">
          <ThreadPane
            actions={
              <Button variant="ghost" square aria-label={t("close")} title={t("close")} onClick={() => setOpen(false)}>
                <Icon name="close" />
              </Button>
            }
          />
        </div>
      )}
    </div>
  );
}
