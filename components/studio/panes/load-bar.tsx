"use client";

import { useTranslations } from "next-intl";
import { useStudio } from "../use-studio.ts";

/** A progress bar at the top while the view of a step loads. */
export function LoadBar() {
  const t = useTranslations("studio");
  const loading = useStudio((state) => state.loading);
  const at = useStudio((state) => state.at);
  return (
    <div role="status" className="absolute inset-x-0 top-0 z-10 h-0.5">
      {loading && (
        <>
          <div className="h-full animate-pulse-soft bg-line-control" />
          <span className="sr-only">{t("loading", { step: at })}</span>
        </>
      )}
    </div>
  );
}
