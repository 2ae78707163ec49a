"use client";

import { useTranslations } from "next-intl";
import { Decision } from "@/components/decision/decision.tsx";
import { askedFor } from "@/components/format/asked-for.ts";
import type { Call, Session } from "@/lib/session/session.ts";

/** Why a call waits for a person, and the decision (P22, P23). */
export function CallDecision({ session, call }: { session: Session; call: Call }) {
  const t = useTranslations("inspector.call");
  const confirmation = session.confirmations.get(call.confirmation_id ?? "");
  if (call.status !== "parked" || confirmation?.status !== "requested") return null;
  return (
    <section
      aria-label={t("decide")}
      className="border-line border-b bg-[color-mix(in_srgb,var(--st-waiting-bg)_45%,var(--surface))] px-3 py-2"
    >
      <p className="text-13 text-pretty wrap-anywhere">{askedFor(confirmation)}</p>
      <p className="text-11 text-pretty text-fg-2">
        {t(confirmation.cause === "interrupted" ? "whyInterrupted" : "whyAsked")}
      </p>
      <Decision confirmation={confirmation} />
    </section>
  );
}
