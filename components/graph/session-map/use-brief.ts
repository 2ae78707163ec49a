"use client";

import { useTranslations } from "next-intl";
import type { BriefValue } from "@/lib/session/map/brief-value.ts";

/** A value in a few words: a scalar itself, a list by its length, an object by its first parts. */
export function useBrief(): (value: BriefValue) => string {
  const t = useTranslations("studio.value");
  return ({ parts, count, kind }) => {
    const values = parts.map(({ value }) => value).join(" · ");
    if (kind === null) return values;
    const size = t(kind, { count: count ?? 0 });
    if (parts.length === 0) return size;
    return kind === "items" ? `${size}: ${values}` : values;
  };
}
