"use client";

import { useFormatter, useTranslations } from "next-intl";

/** Formats a size: `128 kB`, `1.4 MB`. */
export function useBytes(): (bytes: number) => string {
  const t = useTranslations("studio.bytes");
  const format = useFormatter();
  return (bytes) => {
    if (bytes < 1_000) return t("b", { value: bytes });
    if (bytes < 1_000_000) return t("kb", { value: format.number(Math.round(bytes / 1_000)) });
    return t("mb", { value: format.number(bytes / 1_000_000, { maximumFractionDigits: 1 }) });
  };
}
