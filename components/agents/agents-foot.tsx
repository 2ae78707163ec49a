"use client";

import { useTranslations } from "next-intl";
import { KeyboardHelp, type KeyGroup } from "@/components/shell/keyboard-help.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";

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
        { keys: ["Ctrl S"], does: t("keys.save") },
        { keys: ["Esc"], does: t("keys.leave") },
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
  return (
    <footer className="flex h-7 items-center gap-4 overflow-hidden border-line-strong border-t bg-canvas px-3 text-11 whitespace-nowrap text-fg-3">
      {shown.map(({ keys, does }) => (
        <span key={does} className="inline-flex items-center gap-1.25 max-md:hidden">
          {keys.map((key) => (
            <Kbd key={key}>{key}</Kbd>
          ))}
          {does}
        </span>
      ))}
      <span className="flex-1" />
      <KeyboardHelp groups={groups} />
    </footer>
  );
}
