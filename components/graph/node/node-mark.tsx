"use client";

import { useTranslations } from "next-intl";
import type { IterationMark } from "./iteration-marks.ts";

/** That a call is new in this iteration's plan, or what of it has changed. */
export function NodeMark({ mark }: { mark: IterationMark }) {
  const t = useTranslations("graph.iterations");
  const what = mark.kind === "changed" ? t("fields", { fields: mark.fields.join(", ") }) : undefined;
  return (
    <span className="pg-mark" data-kind={mark.kind} title={what}>
      {t(`kinds.${mark.kind}`)}
    </span>
  );
}
