"use client";

import { useTranslations } from "next-intl";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { SideBadge } from "@/components/compare/side-badge.tsx";
import { printedKey } from "@/components/keys/shortcuts.ts";
import { OwnerMenu } from "@/components/queue/owner-menu.tsx";
import { TagField } from "@/components/queue/queue-part.tsx";
import { useChangeQueue, useQueue } from "@/components/queue/use-queue.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";
import { Link } from "@/components/ui/link.tsx";
import type { QueueChange } from "@/lib/queue/queue.ts";
import { comparing, type Mark } from "./use-marks.ts";

/** The selected conversations: two can be compared, and all of them assigned, tagged and resolved at once. */
export function SelectionBar({ marks, onClear }: { marks: readonly Mark[]; onClear: () => void }) {
  const t = useTranslations("list.marks");
  const words = useTranslations("queue");
  const queue = useQueue();
  const { mutate, error, isPending } = useChangeQueue();
  const address = comparing(marks);
  const change = (one: QueueChange) => mutate({ ids: marks.map(({ id }) => id), change: one });
  return (
    <section
      aria-label={t("label")}
      className="row-start-5 flex min-w-0 flex-wrap items-center gap-x-3 gap-y-2 border-line-strong border-t bg-accent-soft px-3 py-2"
    >
      <div role="status" className="flex min-w-0 flex-1 basis-40 items-center gap-4">
        {marks.length > 2 ? (
          <span className="font-medium tabular-nums">{t("count", { count: marks.length })}</span>
        ) : (
          marks.map(({ id, title }, index) => (
            <span key={id} className="inline-flex min-w-0 max-w-80 items-center gap-1.5">
              <SideBadge side={index === 0 ? "a" : "b"} />
              <span className="truncate font-medium">{title}</span>
            </span>
          ))
        )}
        {error && <span className="truncate text-st-failed">{error.message}</span>}
      </div>
      <RequirePermission permission="operate" otherwise="nothing">
        <div className="flex items-center gap-2">
          <OwnerMenu
            queue={queue}
            trigger={
              <>
                {words("assign")}
                <Icon name="down" size={12} />
              </>
            }
            className="inline-flex h-[var(--control)] phone:h-11 flex-none items-center gap-1.25 rounded-2 border border-line-strong bg-raised px-2.25 font-medium hover:bg-hover"
            onChoose={(assignee) => change({ assignee })}
          />
          <TagField tags={queue?.tags ?? []} onAdd={(tag) => change({ add_tags: [tag] })} />
          <Button disabled={isPending} onClick={() => change({ resolved: true })} className="phone:h-11">
            <Icon name="check" size={14} />
            {words("resolve")}
          </Button>
        </div>
      </RequirePermission>
      {address !== null && marks.length === 2 && (
        <Link
          href={address}
          aria-keyshortcuts={printedKey("compare")}
          className="inline-flex h-[var(--control)] flex-none items-center gap-1.25 rounded-2 border border-accent bg-accent px-2.25 font-medium text-accent-fg hover:border-accent-hover hover:bg-accent-hover"
        >
          <Icon name="compare" />
          {t("compare")}
          <Kbd className="border-current! bg-transparent! text-inherit!">{printedKey("compare")}</Kbd>
        </Link>
      )}
      <Button variant="ghost" aria-keyshortcuts="Escape" onClick={onClear}>
        {t("clear")}
        <Kbd>Esc</Kbd>
      </Button>
    </section>
  );
}
