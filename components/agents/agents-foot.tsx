"use client";

import { useTranslations } from "next-intl";
import type { KeyGroup } from "@/components/shell/keyboard-help.tsx";
import { KeysFoot } from "@/components/shell/keys-foot.tsx";

/** The keys of the page. */
export function AgentsFoot() {
  const t = useTranslations("agents");
  const shown: KeyGroup["keys"] = [
    { keys: ["J", "K"], does: t("keys.move") },
    { keys: ["Enter"], does: t("keys.open") },
    { keys: ["/"], does: t("keys.filter") },
  ];
  const groups: KeyGroup[] = [
    { title: t("title"), keys: shown },
    {
      title: t("keys.writing"),
      keys: [
        { keys: ["Ctrl S"], does: t("keys.save"), needs: "ingest" },
        { keys: ["Esc"], does: t("keys.leave"), needs: "ingest" },
      ],
    },
    {
      title: t("keys.tree"),
      keys: [
        { keys: ["↑", "↓", "←", "→"], does: t("keys.treeMove") },
        { keys: ["C", "P"], does: t("keys.treeCopy") },
      ],
    },
  ];
  return <KeysFoot brief={shown} groups={groups} />;
}
