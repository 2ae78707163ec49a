"use client";

import { useTranslations } from "next-intl";

/** The fields of a CRM that people know by a word. */
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

/** Says a field in a word where it has one: `OPPORTUNITY` is the amount; null for any other. */
export function useFieldName(): (field: string) => string | null {
  const t = useTranslations("approvals.field");
  return (field) => {
    const known = FIELDS.find((name) => name === field);
    return known ? t(known) : null;
  };
}
