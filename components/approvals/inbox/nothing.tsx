"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import type { Status } from "../place.ts";

interface NoItemsProps {
  status: Status;
  /** The loading error; null for an empty list. */
  error: Error | null;
  onRetry: () => void;
}

/** The empty state: no approvals, or a loading error. */
export function NoItems({ status, error, onRetry }: NoItemsProps) {
  const t = useTranslations("approvals");
  if (error)
    return (
      <EmptyState icon="unreachable" title={t("failed")} actions={<Button onClick={onRetry}>{t("retry")}</Button>}>
        {error.message}
      </EmptyState>
    );
  return (
    <EmptyState icon={status === "requested" ? "check" : "clock"} title={t(`empty.${status}.title`)}>
      {t(`empty.${status}.text`)}
    </EmptyState>
  );
}

/** The approval in the address is not in the list. */
export function NoItem({ onBack }: { onBack: () => void }) {
  const t = useTranslations("approvals.unknown");
  return (
    <EmptyState icon="search" title={t("title")} actions={<Button onClick={onBack}>{t("back")}</Button>}>
      {t("text")}
    </EmptyState>
  );
}
