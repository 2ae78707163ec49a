"use client";

import { useTranslations } from "next-intl";
import type { KeyGroup } from "@/components/shell/keyboard-help.tsx";
import { KeysFoot } from "@/components/shell/keys-foot.tsx";
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
  const mark = { keys: ["X"], does: t("keys.mark"), needs: "decide" } as const;
  const approve = { keys: ["A"], does: t("keys.approve"), needs: "decide" } as const;
  const edit = { keys: ["E"], does: t("keys.edit"), needs: "decide" } as const;
  const deny = { keys: ["D"], does: t("keys.deny"), needs: "decide" } as const;
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
      keys: [
        approve,
        edit,
        { keys: ["D"], does: t("keys.denyLong"), needs: "decide" },
        { keys: ["R"], does: t("keys.record"), needs: "decide" },
        studio,
      ],
    },
  ];
  const brief = status === "requested" ? [move, mark, approve, edit, deny, studio] : [move, studio];
  return (
    <KeysFoot brief={brief} groups={groups}>
      {total === null ? t("shown", { shown }) : t("shownOf", { shown, total })}
    </KeysFoot>
  );
}
