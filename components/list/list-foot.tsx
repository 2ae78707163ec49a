"use client";

import { useTranslations } from "next-intl";
import type { KeyGroup } from "@/components/shell/keyboard-help.tsx";
import { KeysFoot } from "@/components/shell/keys-foot.tsx";

interface ListFootProps {
  shown: number;
  /** How many match in all; null while only the server knows. */
  total: number | null;
}

/** The keys of the page, and how much of it is loaded. */
export function ListFoot({ shown, total }: ListFootProps) {
  const t = useTranslations("list");
  const compose = useTranslations("compose");
  const search = { keys: ["/"], does: t("keys.search") };
  const filter = { keys: ["F"], does: t("keys.filter") };
  const open = { keys: ["Enter"], does: t("keys.open") };
  const keys: KeyGroup["keys"] = [
    { keys: ["J", "K", "↓", "↑"], does: t("keys.move") },
    { keys: ["Home", "End"], does: t("keys.ends") },
    open,
    search,
    filter,
    { keys: ["N"], does: compose("newKey") },
  ];
  return (
    <KeysFoot
      brief={[{ keys: ["J", "K"], does: t("keys.move") }, open, search, filter]}
      groups={[{ title: t("caption"), keys }]}
    >
      {total === null ? t("shown", { shown }) : t("shown_of", { shown, total })}
    </KeysFoot>
  );
}
