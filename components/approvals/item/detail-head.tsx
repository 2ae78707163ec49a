"use client";

import { useTranslations } from "next-intl";
import { isClosed } from "@/components/format/asked-for.ts";
import { useNow } from "@/components/list/now.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Chip } from "@/components/ui/chip.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Link } from "@/components/ui/link.tsx";
import type { ListedConfirmation } from "@/lib/api/shapes.ts";
import { useWaitedWords } from "../use-waited-words.ts";
import { isOverdue, OVERDUE_AFTER, waitOf } from "../waited.ts";
import { studioAddress } from "./studio-address.ts";
import { lookOf } from "./verdict.tsx";

/** The link to the studio, for keyboard navigation. */
export const STUDIO_LINK_ID = "approval-studio";

interface DetailHeadProps {
  item: ListedConfirmation;
  /** Its index among the shown approvals. */
  index: number;
  /** The total; null while unknown. */
  total: number | null;
  onMove: (by: number) => void;
  onBack: () => void;
}

/** The waiting time, the position in the list, and the link to the studio. */
export function DetailHead({ item, index, total, onMove, onBack }: DetailHeadProps) {
  const t = useTranslations("approvals");
  return (
    <div className="detail-head">
      <Button variant="ghost" square aria-label={t("back")} onClick={onBack} className="phone-only">
        <Icon name="left" />
      </Button>
      <Standing item={item} />
      <span className="flex-1" />
      {total !== null && (
        <span className="text-fg-3 tabular-nums max-md:hidden">
          {index + 1} / {total}
        </span>
      )}
      <Button variant="ghost" square aria-label={t("previous")} disabled={index <= 0} onClick={() => onMove(-1)}>
        <Icon name="up" />
      </Button>
      <Button
        variant="ghost"
        square
        aria-label={t("next")}
        disabled={total !== null && index >= total - 1}
        onClick={() => onMove(1)}
      >
        <Icon name="down" />
      </Button>
      <span aria-hidden className="mx-0.5 h-4.5 w-px flex-none bg-line-strong" />
      <Link
        id={STUDIO_LINK_ID}
        href={studioAddress(item)}
        aria-keyshortcuts="O"
        className="inline-flex h-[var(--control)] flex-none items-center gap-1.5 rounded-2 px-1.5 font-medium whitespace-nowrap text-fg-2 hover:bg-hover hover:text-fg"
      >
        <Icon name="thread" />
        <span className="max-md:sr-only">{t("openAt", { step: item.requested_seq })}</span>
      </Link>
    </div>
  );
}

function Standing({ item }: { item: ListedConfirmation }) {
  const t = useTranslations("approvals");
  const words = useWaitedWords();
  const now = useNow();
  if (item.status !== "requested")
    return <Chip status={lookOf(item)}>{t(`status.${isClosed(item) ? "closed" : item.status}`)}</Chip>;
  const waited = waitOf(item, now);
  if (isOverdue(item, now))
    return (
      <span className="inline-flex h-5 min-w-0 items-center gap-1 rounded-1 bg-st-failed-bg pr-1.75 pl-1.25 font-medium whitespace-nowrap text-st-failed">
        <Icon name="clock" size={14} />
        <span className="truncate">{t("overdueFor", { time: words(waited) })}</span>
      </span>
    );
  return (
    <>
      <Chip status="waiting">{t("waits", { time: words(waited) })}</Chip>
      <span className="min-w-0 truncate text-fg-3 narrow:hidden">
        {t("overdueIn", { time: words(OVERDUE_AFTER - waited) })}
      </span>
    </>
  );
}
