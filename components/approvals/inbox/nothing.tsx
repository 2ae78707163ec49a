"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import type { Status } from "../place.ts";

interface NoItemsProps {
  status: Status;
  /** Why the list could not be loaded; null where it is empty. */
  error: Error | null;
  onRetry: () => void;
}

/** A list without items: nothing waits, nothing was decided yet, or it could not be loaded. */
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

/** The address names a confirmation that is not in the list. */
export function NoItem({ onBack }: { onBack: () => void }) {
  const t = useTranslations("approvals.unknown");
  return (
    <EmptyState icon="search" title={t("title")} actions={<Button onClick={onBack}>{t("back")}</Button>}>
      {t("text")}
    </EmptyState>
  );
}
