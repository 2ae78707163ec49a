"use client";

import { useFormatter, useTranslations } from "next-intl";
import { actorName } from "@/components/agents/actor-name.ts";
import { isClosed } from "@/components/format/asked-for.ts";
import { useReasonText } from "@/components/format/use-reason-text.ts";
import { useNow } from "@/components/list/now.tsx";
import type { Status as Look } from "@/components/ui/status.ts";
import type { ListedConfirmation } from "@/lib/api/shapes.ts";

/** How each decision looks. */
export function lookOf(item: Pick<ListedConfirmation, "status" | "decided_by">): Look {
  if (item.status === "requested") return "waiting";
  if (isClosed(item)) return "cancelled";
  return item.status === "approved" ? "succeeded" : "denied";
}

type Decided = Pick<ListedConfirmation, "status" | "decided_by" | "decided_at" | "reason">;

/** Who decided, and when: `Approved by anna, 12:03`. */
export function useVerdict(): (item: Decided) => string {
  const t = useTranslations("approvals.verdict");
  const format = useFormatter();
  const now = useNow();
  return (item) => {
    const date = new Date(item.decided_at ?? 0);
    // The reader's time zone is unknown during server rendering.
    const isToday = format.dateTime(date, DAY) === format.dateTime(now, DAY);
    const at = format.dateTime(date, { ...(isToday ? {} : { day: "numeric", month: "short" }), ...CLOCK });
    if (isClosed(item)) return t("closed", { at });
    const who = actorName(item.decided_by) ?? t("somebody");
    return t(item.status === "approved" ? "approved" : "denied", { who, at });
  };
}

const DAY = { dateStyle: "short" } as const;

const CLOCK = { hour: "2-digit", minute: "2-digit", hour12: false } as const;

/** A decision's reason, translated if it is one of the engine's. */
export function Reason({ item }: { item: Decided }) {
  const told = useReasonText();
  if (!item.reason) return null;
  return <q className="wrap-anywhere">{told(item.reason)}</q>;
}
