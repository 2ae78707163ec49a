"use client";

import { useTranslations } from "next-intl";
import { KeyboardHelp } from "@/components/shell/keyboard-help.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";

/** The keys of the list of alerts, and how many are shown. */
export function AlertsFoot({ count }: { count: number }) {
  const t = useTranslations("alerts");
  const keys = [
    { keys: ["J", "K"], does: t("keys.move") },
    { keys: ["O"], does: t("keys.studio") },
    { keys: ["T"], does: t("keys.takeOver") },
  ];
  return (
    <footer className="flex h-7 items-center gap-4 overflow-hidden border-line-strong border-t bg-canvas px-3 text-11 whitespace-nowrap text-fg-3">
      {keys.map(({ keys: names, does }) => (
        <span key={does} className="inline-flex items-center gap-1.25 max-md:hidden">
          {names.map((name) => (
            <Kbd key={name}>{name}</Kbd>
          ))}
          {does}
        </span>
      ))}
      <span role="status" className="ml-auto tabular-nums">
        {t("shown", { count })}
      </span>
      <KeyboardHelp groups={[{ title: t("keys.title"), keys }]} />
    </footer>
  );
}
