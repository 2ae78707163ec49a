"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";

/** A loading indicator, or a loading error with a retry button. */
export function Waiting({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  const t = useTranslations("compare");
  const common = useTranslations("common");
  if (!error)
    return (
      <p role="status" className="p-6 text-center text-fg-3">
        {t("loading")}
      </p>
    );
  return (
    <EmptyState icon="unreachable" title={t("failed")} actions={<Button onClick={onRetry}>{common("retry")}</Button>}>
      {error.message}
    </EmptyState>
  );
}
