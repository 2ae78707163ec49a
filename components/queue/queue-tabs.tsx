"use client";

import { useFormatter, useTranslations } from "next-intl";
import type { Queue } from "@/lib/api/shapes.ts";
import { QUEUE_VIEWS, type QueueView } from "@/lib/queue/queue.ts";

interface QueueTabsProps {
  current: QueueView;
  queue: Queue | undefined;
  onChange: (view: QueueView) => void;
}

/** Tabs of the queue's views, with the number of conversations. */
export function QueueTabs({ current, queue, onChange }: QueueTabsProps) {
  const t = useTranslations("queue");
  const format = useFormatter();
  return (
    <fieldset aria-label={t("views.label")} className="flex min-w-0 items-center gap-6 fade-x overflow-x-auto px-3">
      {QUEUE_VIEWS.map((view) => {
        const count = queue?.views[view];
        const isLate = view === "overdue" && count !== undefined && count > 0;
        return (
          <button
            key={view}
            type="button"
            aria-pressed={view === current}
            onClick={() => onChange(view)}
            className={`inline-flex h-9 phone:h-11 phone:min-w-11 flex-none items-center gap-1.5 border-transparent border-b-2 whitespace-nowrap hover:text-fg focus-visible:shadow-[inset_0_0_0_2px_var(--accent)] aria-pressed:border-fg aria-pressed:font-medium aria-pressed:text-fg ${isLate ? "text-st-failed" : "text-fg-2"}`}
          >
            {t(`views.${view}`)}
            {count !== undefined && <span className="font-normal text-fg-3 tabular-nums">{format.number(count)}</span>}
          </button>
        );
      })}
    </fieldset>
  );
}
