"use client";

import { useTranslations } from "next-intl";
import { KeyboardHelp, type KeyGroup } from "@/components/shell/keyboard-help.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";

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
    <footer className="flex h-7 items-center gap-4 overflow-hidden border-line-strong border-t bg-canvas px-3 text-11 whitespace-nowrap text-fg-3">
      {[{ keys: ["J", "K"], does: t("keys.move") }, open, search, filter].map(({ keys, does }) => (
        <span key={does} className="inline-flex items-center gap-1.25 max-md:hidden">
          {keys.map((key) => (
            <Kbd key={key}>{key}</Kbd>
          ))}
          {does}
        </span>
      ))}
      <span role="status" className="ml-auto tabular-nums">
        {total === null ? t("shown", { shown }) : t("shown_of", { shown, total })}
      </span>
      <KeyboardHelp groups={[{ title: t("caption"), keys }]} />
    </footer>
  );
}
