"use client";

import { useTranslations } from "next-intl";
import { ApiErrorAlert } from "@/components/client/api-error-alert.tsx";

/** The server's error about a decision. */
export function Refusal({ error }: { error: Error | null }) {
  const t = useTranslations("decision");
  return <ApiErrorAlert error={error} otherwise={t("unreachable")} className="mt-1.5" />;
}
