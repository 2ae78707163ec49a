"use client";

import { useTranslations } from "next-intl";
import type { AuditAction } from "@/lib/access/audit.ts";
import type { AuditEntry } from "@/lib/api/shapes.ts";

/** What was done, in the reader's words. */
export function useActionWords() {
  const t = useTranslations("audit.actions");
  const wordsOf = (action: AuditAction) => t(action);
  /** Of an entry: which way it was decided, too. */
  const toldOf = ({ action, after }: Pick<AuditEntry, "action" | "after">) => {
    if (action !== "confirmation.decided") return t(action);
    if (after?.status === "approved") return t("confirmation.approved");
    return after?.status === "denied" ? t("confirmation.denied") : t(action);
  };
  return { wordsOf, toldOf };
}
