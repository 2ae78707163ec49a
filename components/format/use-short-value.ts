"use client";

import { useFormatter, useTranslations } from "next-intl";
import { isRef } from "@/lib/session/json/cite.ts";
import type { Json } from "@/lib/session/json/json.ts";
import { useBytes } from "./use-bytes.ts";

// Four digits are not grouped: they are more often an id or a year than an amount.
const FIGURES = { maximumFractionDigits: 6, useGrouping: "min2" } as const;

/** Formats a value in a few words: grouped numbers, plain text, collections by their size. */
export function useShortValue(): (value: Json) => string {
  const t = useTranslations("studio.value");
  const format = useFormatter();
  const bytes = useBytes();
  return (value) => {
    if (isRef(value)) return bytes(value.bytes);
    if (typeof value === "number") return format.number(value, FIGURES);
    if (typeof value === "string") return value === "" ? '""' : value;
    if (Array.isArray(value)) return t("items", { count: value.length });
    if (typeof value === "object" && value !== null) return t("fields", { count: Object.keys(value).length });
    return String(value);
  };
}
