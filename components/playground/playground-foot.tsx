"use client";

import { useTranslations } from "next-intl";
import { KeyboardHelp, type KeyGroup } from "@/components/shell/keyboard-help.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";

/** The keys of the page. */
export function PlaygroundFoot() {
  const t = useTranslations("playground");
  const page: KeyGroup["keys"] = [
    { keys: ["E"], does: t("keys.text") },
    { keys: ["C"], does: t("keys.connect") },
    { keys: ["←", "→"], does: t("keys.waves") },
    { keys: [t("simulation.space")], does: t("keys.play") },
    { keys: ["R"], does: t("keys.run") },
    { keys: ["S"], does: t("keys.save") },
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
  return (
    <footer className="flex h-7 items-center gap-4 overflow-hidden border-line-strong border-t bg-canvas px-3 text-11 whitespace-nowrap text-fg-3">
      {page.map(({ keys, does }) => (
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
