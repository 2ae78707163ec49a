"use client";

import { useTranslations } from "next-intl";
import { KeysFoot } from "@/components/keys/keys-foot.tsx";

/** The keys of the list of alerts, and how many are shown. */
export function AlertsFoot({ count }: { count: number }) {
  const t = useTranslations("alerts");
  return <KeysFoot page="alerts">{t("shown", { count })}</KeysFoot>;
}
