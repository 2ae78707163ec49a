"use client";

import { useTranslations } from "next-intl";
import type { Outcome } from "@/components/decision/use-decide-many.ts";
import { askedFor } from "@/components/studio/asked-for.ts";
import { Button } from "@/components/ui/button.tsx";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import type { ListedConfirmation } from "@/db/repositories.ts";
import { lookOf, useVerdict } from "./verdict.tsx";

interface BulkOutcomeProps {
  outcomes: readonly Outcome[];
  items: readonly ListedConfirmation[];
  onClose: () => void;
}

/** What became of each that did not go as wanted: who was first, or why it could not be. */
export function BulkOutcome({ outcomes, items, onClose }: BulkOutcomeProps) {
  const t = useTranslations("approvals.bulk");
  const missed = outcomes.filter(({ outcome }) => outcome !== "decided");
  return (
    <div role="alert" className="p-4">
      <h2 id="bulk-title" className="text-14 font-semibold text-balance">
        {t("missedTitle", { count: missed.length, total: outcomes.length })}
      </h2>
      <ul
        className="mt-2 max-h-[min(46vh,360px)] overflow-y-auto rounded-2 border border-line-strong"
        tabIndex={0}
        aria-label={t("list")}
      >
        {missed.map((outcome) => {
          const item = items.find(({ id }) => id === outcome.id);
          return (
            <li key={outcome.id} className="border-line border-b px-2.5 py-1.75 last:border-b-0">
              <span className="block font-medium wrap-anywhere">{item ? askedFor(item) : outcome.id}</span>
              <span className="flex items-start gap-1.25 text-fg-2">
                {outcome.confirmation && (
                  <StatusIcon status={lookOf(outcome.confirmation)} size={14} className="mt-0.25" />
                )}
                <Because outcome={outcome} />
              </span>
            </li>
          );
        })}
      </ul>
      <Button autoFocus onClick={onClose} className="mt-3 h-8! px-3!">
        {t("close")}
      </Button>
    </div>
  );
}

function Because({ outcome: { outcome, confirmation, detail } }: { outcome: Outcome }) {
  const t = useTranslations("approvals.bulk");
  const verdict = useVerdict();
  if (confirmation && confirmation.status !== "requested") return <span>{verdict(confirmation)}</span>;
  if (outcome === "unknown" || outcome === "unsent") return <span>{t(outcome)}</span>;
  return <span className="wrap-anywhere">{detail}</span>;
}
