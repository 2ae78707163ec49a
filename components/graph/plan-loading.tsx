"use client";

import { useTranslations } from "next-intl";

/** Stands where a plan is about to be drawn. */
export function PlanLoading() {
  const t = useTranslations("graph");
  return (
    <>
      <div className="pg-toolbar">
        <h2>{t("title")}</h2>
      </div>
      <div className="pg-canvas">
        <p className="pg-loading" role="status">
          {t("layingOut")}
        </p>
      </div>
    </>
  );
}
