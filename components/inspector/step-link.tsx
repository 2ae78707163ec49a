"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useStudio } from "@/components/studio/use-studio.ts";

/** A link to a step, with its number. */
export function StepLink({ step, children }: { step: number; children?: ReactNode }) {
  const t = useTranslations("inspector");
  const jump = useStudio((state) => state.jump);
  return (
    <button
      type="button"
      onClick={() => jump(step)}
      className="inline-flex min-h-6 min-w-0 phone:min-h-11 items-center gap-1 text-left text-fg underline decoration-line-control underline-offset-3 tabular-nums hover:decoration-fg"
    >
      {children ?? t("step", { step })}
    </button>
  );
}
