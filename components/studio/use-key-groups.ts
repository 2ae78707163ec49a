"use client";

import { useTranslations } from "next-intl";
import type { KeyGroup } from "@/components/shell/keyboard-help.tsx";

/** All keys of the studio, as `?` shows them. The timeline's are listened to by the timeline. */
export function useKeyGroups(): KeyGroup[] {
  const t = useTranslations("studio.keys");
  return [
    {
      title: t("replay"),
      keys: [
        { keys: ["Space"], does: t("play") },
        { keys: ["←", "→"], does: t("step") },
        { keys: ["Shift", "←", "→"], does: t("call") },
        { keys: ["[", "]"], does: t("message") },
        { keys: ["E", "Shift E"], does: t("error") },
        { keys: ["A", "Shift A"], does: t("approval") },
        { keys: ["M", "Shift M"], does: t("alert") },
        { keys: ["B"], does: t("bookmark"), needs: "operate" },
        { keys: ["Home", "End"], does: t("ends") },
        { keys: ["L"], does: t("live") },
      ],
    },
    {
      title: t("view"),
      keys: [
        { keys: ["+", "−", "0"], does: t("zoom") },
        { keys: ["I", "O"], does: t("range") },
        { keys: ["Esc"], does: t("clear") },
        { keys: ["/"], does: t("find") },
      ],
    },
    {
      title: t("list"),
      keys: [
        { keys: ["J", "K"], does: t("walk") },
        { keys: ["U"], does: t("back") },
      ],
    },
    {
      title: t("tree"),
      keys: [
        { keys: ["↑", "↓", "←", "→"], does: t("treeMove") },
        { keys: ["Enter"], does: t("treeSelect") },
        { keys: ["C", "P"], does: t("treeCopy") },
      ],
    },
  ];
}
