"use client";

import { useTranslations } from "next-intl";
import type { Decide } from "./use-decide.ts";

/** The decision on its way, and then on its way back as an event. */
export function Progress({ decide }: { decide: Decide }) {
  const t = useTranslations("decision");
  return (
    <p role="status" className="text-11 text-fg-3 not-empty:mt-1.5">
      {decide.isPending ? t("sending") : decide.isSuccess ? t("sent") : ""}
    </p>
  );
}
