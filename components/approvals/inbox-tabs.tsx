"use client";

import { useFormatter, useTranslations } from "next-intl";
import { STATUSES, type Status } from "./place.ts";

interface InboxTabsProps {
  current: Status;
  /** How many decisions are awaited; undefined until that is known. */
  awaiting: number | undefined;
  onShow: (status: Status) => void;
}

/** What waits, and what was decided which way. */
export function InboxTabs({ current, awaiting, onShow }: InboxTabsProps) {
  const t = useTranslations("approvals.tabs");
  const format = useFormatter();
  return (
    <fieldset
      aria-label={t("label")}
      className="flex min-w-0 flex-none items-center gap-5 overflow-x-auto border-line-strong border-b px-3"
    >
      {STATUSES.map((status) => (
        <button
          key={status}
          type="button"
          aria-pressed={status === current}
          onClick={() => onShow(status)}
          className="inline-flex h-9 flex-none items-center gap-1.5 border-transparent border-b-2 whitespace-nowrap text-fg-2 hover:text-fg focus-visible:shadow-[inset_0_0_0_2px_var(--accent)] aria-pressed:border-fg aria-pressed:font-medium aria-pressed:text-fg"
        >
          {t(status)}
          {status === "requested" && awaiting !== undefined && (
            <span className="font-normal text-fg-3 tabular-nums">{format.number(awaiting)}</span>
          )}
        </button>
      ))}
    </fieldset>
  );
}
