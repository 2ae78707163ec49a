"use client";

import { useTranslations } from "next-intl";
import type { KeyGroup } from "@/components/shell/keyboard-help.tsx";
import { KeysFoot } from "@/components/shell/keys-foot.tsx";

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
  const compose = useTranslations("compose");
  const search = { keys: ["/"], does: t("keys.search") };
  const filter = { keys: ["F"], does: t("keys.filter") };
  const open = { keys: ["Enter"], does: t("keys.open") };
  const mark = { keys: ["X"], does: t("keys.mark") };
  const keys: KeyGroup["keys"] = [
    { keys: ["J", "K", "↓", "↑"], does: t("keys.move") },
    { keys: ["Home", "End"], does: t("keys.ends") },
    open,
    search,
    filter,
    mark,
    { keys: ["C"], does: t("keys.compare") },
    { keys: ["N"], does: compose("newKey"), needs: "ingest" },
  ];
  return (
    <KeysFoot
      brief={[{ keys: ["J", "K"], does: t("keys.move") }, open, search, filter, mark]}
      groups={[{ title: t("caption"), keys }]}
    >
      {behind > 0 &&
        `${behind < MOST_COUNTED ? t("behind", { count: behind }) : t("behind_more", { count: behind })} · `}
      {total === null ? t("shown", { shown }) : t("shown_of", { shown, total })}
    </KeysFoot>
  );
}
