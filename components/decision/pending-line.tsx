"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button.tsx";
import { type PendingDecision, undo } from "./pending.ts";

/** Replaces the decision buttons while the decision can be undone. */
export function PendingLine({ pending }: { pending: PendingDecision }) {
  const t = useTranslations("decision.pending");
  const { body, state, id } = pending;
  return (
    <div className="mt-2 flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1.5">
      <span className="text-fg-2">{t(body.decision === "approve" ? "approving" : "denying")}</span>
      {state.name === "waiting" && <Button onClick={() => undo(id)}>{t("undo")}</Button>}
    </div>
  );
}
