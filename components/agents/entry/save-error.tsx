"use client";

import { useTranslations } from "next-intl";
import { ApiErrorAlert } from "@/components/client/api-error-alert.tsx";

/** Why saving failed. */
export function SaveError({ error }: { error: Error | null }) {
  const t = useTranslations("agents.write");
  return <ApiErrorAlert error={error} otherwise={t("unreachable")} />;
}
