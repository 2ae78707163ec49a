"use client";

import { useTranslations } from "next-intl";
import { actorName } from "@/components/agents/actor-name.ts";
import { askedFor } from "@/components/format/asked-for.ts";
import type { Decidable } from "./pending.ts";
import type { Outcome } from "./send-decision.ts";

interface MissedProps {
  outcomes: readonly Outcome[];
  items: readonly Decidable[];
}

/** Why each decision failed: who decided first, or the server's error. */
export function FailedDecisions({ outcomes, items }: MissedProps) {
  const t = useTranslations("decision.pending");
  const missed = outcomes.filter(({ outcome }) => outcome !== "decided");
  const [only] = outcomes;
  return (
    <div role="alert" className="pending-missed">
      {outcomes.length === 1 && only ? (
        <p>
          <Because outcome={only} />
        </p>
      ) : (
        <>
          <p>{t("missed", { count: missed.length, total: outcomes.length })}</p>
          <ul>
            {missed.map((outcome) => {
              const item = items.find(({ id }) => id === outcome.id);
              return (
                <li key={outcome.id}>
                  <b>{item ? askedFor(item) : outcome.id}</b> <Because outcome={outcome} />
                </li>
              );
            })}
          </ul>
        </>
      )}
    </div>
  );
}

function Because({ outcome: { outcome, confirmation, detail } }: { outcome: Outcome }) {
  const t = useTranslations("decision.pending");
  if (confirmation && confirmation.status !== "requested")
    return t(confirmation.status === "approved" ? "firstApproved" : "firstDenied", {
      who: actorName(confirmation.decided_by) ?? t("somebody"),
    });
  if (outcome === "unknown" || outcome === "unsent") return t(outcome);
  return detail ?? t("overtaken");
}
