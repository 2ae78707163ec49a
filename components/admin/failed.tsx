"use client";

import { useTranslations } from "next-intl";
import { ApiProblem } from "@/components/client/api.ts";
import { Button } from "@/components/ui/button.tsx";

/** A loading error with a retry button. */
export function Failed({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  const t = useTranslations();
  if (!error) return null;
  return (
    <div role="alert" className="mb-3 flex flex-wrap items-center gap-3">
      <p className="text-st-failed wrap-anywhere">
        {error instanceof ApiProblem ? error.message : t("decision.unreachable")}
      </p>
      <Button onClick={onRetry}>{t("common.retry")}</Button>
    </div>
  );
}
