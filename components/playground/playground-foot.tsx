"use client";

import { useTranslations } from "next-intl";
import type { KeyGroup } from "@/components/shell/keyboard-help.tsx";
import { KeysFoot } from "@/components/shell/keys-foot.tsx";

/** The keys of the page. */
export function PlaygroundFoot() {
  const t = useTranslations("playground");
  const page: KeyGroup["keys"] = [
    { keys: ["E"], does: t("keys.text") },
    { keys: ["C"], does: t("keys.connect") },
    { keys: ["←", "→"], does: t("keys.waves") },
    { keys: [t("simulation.space")], does: t("keys.play") },
    { keys: ["R"], does: t("keys.run"), needs: "operate" },
    { keys: ["S"], does: t("keys.save"), needs: "admin" },
  ];
  const groups: KeyGroup[] = [
    { title: t("title"), keys: page },
    {
      title: t("keys.editor"),
      keys: [
        { keys: ["Ctrl Space"], does: t("keys.complete") },
        { keys: ["Tab"], does: t("keys.accept") },
        { keys: ["F8"], does: t("keys.nextProblem") },
        { keys: ["Ctrl F"], does: t("keys.find") },
        { keys: ["Ctrl Z"], does: t("keys.undo") },
        { keys: ["Ctrl ]", "Ctrl ["], does: t("keys.indent") },
      ],
    },
  ];
  return <KeysFoot brief={page} groups={groups} />;
}
