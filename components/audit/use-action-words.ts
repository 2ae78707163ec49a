"use client";

import { useTranslations } from "next-intl";
import type { AuditAction } from "@/lib/access/audit.ts";
import type { AuditEntry } from "@/lib/api/shapes.ts";

/** The names of actions. */
export function useActionWords() {
  const t = useTranslations("audit.actions");
  const wordsOf = (action: AuditAction) => t(action);
  /** Of an entry: with the outcome of a decision. */
  const toldOf = ({ action, after }: Pick<AuditEntry, "action" | "after">) => {
    if (action !== "confirmation.decided") return t(action);
    if (after?.status === "approved") return t("confirmation.approved");
    return after?.status === "denied" ? t("confirmation.denied") : t(action);
  };
  return { wordsOf, toldOf };
}
