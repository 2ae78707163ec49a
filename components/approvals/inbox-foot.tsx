"use client";

import { useTranslations } from "next-intl";
import { KeyboardHelp, type KeyGroup } from "@/components/shell/keyboard-help.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";
import type { Status } from "./place.ts";

interface InboxFootProps {
  status: Status;
  shown: number;
  /** How many there are in all; null while only the server knows. */
  total: number | null;
}

/** The keys of the inbox, and how much of it is loaded. */
export function InboxFoot({ status, shown, total }: InboxFootProps) {
  const t = useTranslations("approvals");
  const move = { keys: ["J", "K"], does: t("keys.move") };
  const mark = { keys: ["X"], does: t("keys.mark") };
  const approve = { keys: ["A"], does: t("keys.approve") };
  const edit = { keys: ["E"], does: t("keys.edit") };
  const deny = { keys: ["D"], does: t("keys.deny") };
  const studio = { keys: ["O"], does: t("keys.studio") };
  const groups: KeyGroup[] = [
    {
      title: t("keys.inbox"),
      keys: [
        { keys: ["J", "K", "↓", "↑"], does: t("keys.move") },
        { keys: ["Home", "End"], does: t("keys.ends") },
        { keys: ["Enter"], does: t("keys.read") },
        { keys: ["Esc"], does: t("keys.back") },
        mark,
      ],
    },
    {
      title: t("keys.decision"),
      keys: [approve, edit, { keys: ["D"], does: t("keys.denyLong") }, { keys: ["R"], does: t("keys.record") }, studio],
    },
  ];
  const brief = status === "requested" ? [move, mark, approve, edit, deny, studio] : [move, studio];
  return (
    <footer className="flex h-7 items-center gap-4 overflow-hidden border-line-strong border-t bg-canvas px-3 text-11 whitespace-nowrap text-fg-3">
      {brief.map(({ keys, does }) => (
        <span key={does} className="inline-flex items-center gap-1.25 max-md:hidden">
          {keys.map((key) => (
            <Kbd key={key}>{key}</Kbd>
          ))}
          {does}
        </span>
      ))}
      <span role="status" className="ml-auto tabular-nums">
        {total === null ? t("shown", { shown }) : t("shownOf", { shown, total })}
      </span>
      <KeyboardHelp groups={groups} />
    </footer>
  );
}
