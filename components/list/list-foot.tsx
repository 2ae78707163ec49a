"use client";

import { useTranslations } from "next-intl";
import { KeysFoot } from "@/components/keys/keys-foot.tsx";

/** The server counts so far. */
const MOST_COUNTED = 10_000;

interface ListFootProps {
  shown: number;
  /** How many match in all; null while only the server knows. */
  total: number | null;
  /** Events that the search has not come to yet. */
  behind: number;
}

/** The keys of the page, and how much of it is loaded. */
export function ListFoot({ shown, total, behind }: ListFootProps) {
  const t = useTranslations("list");
  return (
    <KeysFoot page="list">
      {behind > 0 &&
        `${behind < MOST_COUNTED ? t("behind", { count: behind }) : t("behind_more", { count: behind })} · `}
      {total === null ? t("shown", { shown }) : t("shown_of", { shown, total })}
    </KeysFoot>
  );
}
