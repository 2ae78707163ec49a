"use client";

import { useTranslations } from "next-intl";
import type { KeyGroup } from "@/components/shell/keyboard-help.tsx";
import { KeysFoot } from "@/components/shell/keys-foot.tsx";

/** The keys of the list of alerts, and how many are shown. */
export function AlertsFoot({ count }: { count: number }) {
  const t = useTranslations("alerts");
  const keys: KeyGroup["keys"] = [
    { keys: ["J", "K"], does: t("keys.move") },
    { keys: ["O"], does: t("keys.studio") },
    { keys: ["T"], does: t("keys.takeOver"), needs: "operate" },
  ];
  return (
    <KeysFoot brief={keys} groups={[{ title: t("keys.title"), keys }]}>
      {t("shown", { count })}
    </KeysFoot>
  );
}
