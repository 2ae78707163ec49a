"use client";

import { useTranslations } from "next-intl";
import { KeyboardHelp, type KeyGroup } from "@/components/shell/keyboard-help.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";

/** The keys of the page. */
export function CompareFoot() {
  const t = useTranslations("compare");
  const keys: KeyGroup["keys"] = [
    { keys: ["N"], does: t("next") },
    { keys: ["P"], does: t("previous") },
  ];
  return (
    <footer className="flex h-7 items-center gap-4 overflow-hidden border-line-strong border-t bg-canvas px-3 text-11 whitespace-nowrap text-fg-3">
      {keys.map(({ keys: [key], does }) => (
        <span key={does} className="inline-flex items-center gap-1.25 max-md:hidden">
          <Kbd>{key}</Kbd>
          {does}
        </span>
      ))}
      <span className="flex-1" />
      <KeyboardHelp groups={[{ title: t("title"), keys: [...keys, { keys: ["←", "→"], does: t("keysTab") }] }]} />
    </footer>
  );
}
