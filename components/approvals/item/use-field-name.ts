"use client";

import { useTranslations } from "next-intl";

/** Well-known CRM fields. */
const FIELDS = [
  "ASSIGNED_BY_ID",
  "BEGINDATE",
  "CATEGORY_ID",
  "CLOSEDATE",
  "COMMENTS",
  "COMPANY_ID",
  "CONTACT_ID",
  "CURRENCY_ID",
  "DEADLINE",
  "DESCRIPTION",
  "OPPORTUNITY",
  "RESPONSIBLE_ID",
  "STAGE_ID",
  "TITLE",
] as const;

/** A field's name in words: `OPPORTUNITY` is the amount; null for any other field. */
export function useFieldName(): (field: string) => string | null {
  const t = useTranslations("approvals.field");
  return (field) => {
    const known = FIELDS.find((name) => name === field);
    return known ? t(known) : null;
  };
}
