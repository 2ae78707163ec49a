"use client";

import { useNow, useTranslations } from "next-intl";
import { memo } from "react";
import { Clock } from "@/components/studio/clock.tsx";
import { type ProposedChange, proposedChanges } from "@/components/studio/proposed-changes.ts";
import { ShortValue } from "@/components/studio/short-value.tsx";
import { useDuration } from "@/components/studio/use-duration.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import { isRef } from "@/lib/session/cite.ts";
import type { Json } from "@/lib/session/json.ts";
import type { Call, Confirmation } from "@/lib/session/session.ts";

interface AskProps {
  confirmation: Confirmation;
  call: Call | null;
  /** The state of the run that asks, for the values that would change. */
  state: Json;
  lit: boolean;
  onSelect: (call: Call) => void;
}

/** As many values as fit a card; the call's tab has all of them. */
const SHOWN = 4;

/** What a person is asked to allow, with old and new values; or who decided. */
export const Ask = memo(function Ask({ confirmation, call, state, lit, onSelect }: AskProps) {
  const t = useTranslations("thread.ask");
  const waits = confirmation.status === "requested";
  const what = confirmation.description ?? confirmation.action?.method ?? confirmation.key;
  const params = confirmation.action?.params ?? null;
  const changes = params === null || isRef(params) ? [] : proposedChanges(params, state);
  return (
    <article
      data-seq={confirmation.requested_seq}
      className={`my-1.5 overflow-hidden rounded-2 border bg-surface ${waits ? "border-st-waiting" : "border-line-strong"} ${lit ? "ring-1 ring-accent-line" : ""}`}
    >
      <Head confirmation={confirmation} />
      <div className="px-2.25 pt-2 pb-2.25">
        <p className="wrap-anywhere">
          {call ? (
            <button type="button" onClick={() => onSelect(call)} className="text-left hover:underline">
              {what}
            </button>
          ) : (
            what
          )}
          {confirmation.instance !== "" && <span className="pl-1 text-fg-2">{confirmation.instance}</span>}
        </p>
        <dl className="mt-0.5">
          {changes.slice(0, SHOWN).map((change) => (
            <Proposal key={change.name} change={change} />
          ))}
        </dl>
        {changes.length > SHOWN && <p className="text-11 text-fg-3">{t("more", { count: changes.length - SHOWN })}</p>}
        <p className="mt-1.5 text-11 text-fg-3">
          {waits ? (confirmation.cause === "interrupted" ? t("interrupted") : t("undecided")) : (confirmation.reason ?? "")}
        </p>
      </div>
    </article>
  );
});

function Head({ confirmation }: { confirmation: Confirmation }) {
  const t = useTranslations("thread.ask");
  const who = confirmation.decided_by ?? t("somebody");
  switch (confirmation.status) {
    case "requested":
      return (
        <header className="flex items-center gap-1.5 bg-st-waiting-bg px-2.25 py-1.25 font-medium text-st-waiting">
          <Icon name="waiting" size={14} />
          {t("waiting")}
          <Since at={confirmation.requested_at} />
        </header>
      );
    case "approved":
    case "denied":
      return (
        <header className="flex items-center gap-1.5 border-line border-b px-2.25 py-1.25 text-fg-2">
          <StatusIcon status={confirmation.status === "approved" ? "succeeded" : "denied"} size={14} />
          <span className="min-w-0 truncate">{t(confirmation.status, { who: who.replace(/^[a-z]+:/, "") })}</span>
          <Clock at={confirmation.decided_at} className="ml-auto text-11" />
        </header>
      );
    default:
      return confirmation.status satisfies never;
  }
}

/** While live how long it has waited; in a replay, which stands still, since when. */
function Since({ at }: { at: string | null }) {
  const t = useTranslations("thread.ask");
  const following = useStudio((state) => state.following);
  const now = useNow({ updateInterval: 30_000 });
  const duration = useDuration();
  if (at === null) return null;
  const waited = now.getTime() - Date.parse(at);
  return (
    <span className="ml-auto text-11 font-normal tabular-nums" suppressHydrationWarning>
      {following && waited >= 60_000 ? duration(waited) : t.rich("since", { time: () => <Clock at={at} className="text-inherit!" /> })}
    </span>
  );
}

function Proposal({ change: { name, before, after } }: { change: ProposedChange }) {
  const t = useTranslations("thread.ask");
  return (
    <div className="flex min-w-0 flex-wrap items-baseline gap-x-1.75 tabular-nums">
      <dt className="truncate text-11 text-fg-3">{name.split(".").at(-1)}</dt>
      <dd className="flex min-w-0 items-baseline gap-1.75 text-13">
        {before !== undefined && (
          <>
            <del className="truncate text-fg-3" aria-label={t("before")}>
              <ShortValue value={before} />
            </del>
            <span className="text-fg-3" aria-hidden>
              →
            </span>
          </>
        )}
        <ins className="truncate font-semibold no-underline">
          <ShortValue value={after} />
        </ins>
      </dd>
    </div>
  );
}
