"use client";

import { useTranslations } from "next-intl";
import { KeysFoot } from "@/components/keys/keys-foot.tsx";
import type { Status } from "../place.ts";

interface InboxFootProps {
  status: Status;
  shown: number;
  /** How many there are in all; null while only the server knows. */
  total: number | null;
}

/** The keys of the inbox, and how much of it is loaded. */
export function InboxFoot({ status, shown, total }: InboxFootProps) {
  const t = useTranslations("approvals");
  return (
    <KeysFoot page="approvals" reads={status !== "requested"}>
      {total === null ? t("shown", { shown }) : t("shownOf", { shown, total })}
    </KeysFoot>
  );
}
