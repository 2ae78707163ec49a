"use client";

import { useTranslations } from "next-intl";
import { memo } from "react";
import { actorName } from "@/components/agents/actor-name.ts";
import { changesOf, figuresOf, type ValueChange } from "@/components/approvals/item/changes.ts";
import { Decision } from "@/components/decision/decision.tsx";
import { askedFor, isClosed } from "@/components/format/asked-for.ts";
import { Clock } from "@/components/format/clock.tsx";
import { ShortValue } from "@/components/format/short-value.tsx";
import { useDuration } from "@/components/format/use-duration.ts";
import { useReasonText } from "@/components/format/use-reason-text.ts";
import { useShortValue } from "@/components/format/use-short-value.ts";
import { useSessionTime } from "@/components/studio/use-session-time.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import { isSameJson, type Json } from "@/lib/session/json/json.ts";
import type { Call, Confirmation } from "@/lib/session/session.ts";

interface AskProps {
  confirmation: Confirmation;
  call: Call | null;
  /** The requesting run's state, for current values. */
  state: Json;
  /** It was decided, and its agent has not continued yet. */
  unanswered: boolean;
  lit: boolean;
  onSelect: (call: Call) => void;
}

/** The most values on a card; the Call tab has all of them. */
const SHOWN = 4;

/** A confirmation with old and new values, or its decision. */
export const Ask = memo(function Ask({ confirmation, call, state, unanswered, lit, onSelect }: AskProps) {
  const t = useTranslations("thread.ask");
  const told = useReasonText();
  const waits = confirmation.status === "requested";
  const what = askedFor(confirmation);
  const changes = changesOf(confirmation.action?.params ?? null, confirmation.before, state);
  const asked = askedOf(confirmation, state);
  const note = waits ? confirmation.cause === "interrupted" && t("interrupted") : told(confirmation.reason ?? "");
  return (
    <article
      data-seq={confirmation.requested_seq}
      data-waits={waits || undefined}
      className={`my-1.5 overflow-hidden rounded-2 border bg-surface ${waits ? "border-st-waiting" : "border-line-strong"} ${lit ? "ring-1 ring-accent-line" : ""}`}
    >
      <Head confirmation={confirmation} />
      <div className="px-2.25 pt-2 pb-2.25">
        {call ? (
          <button
            type="button"
            onClick={() => onSelect(call)}
            className="phone:min-h-11 text-left text-pretty wrap-anywhere hover:underline"
          >
            {what}
          </button>
        ) : (
          <p className="text-pretty wrap-anywhere">{what}</p>
        )}
        <dl className="mt-0.5">
          {changes.slice(0, SHOWN).map((change) => (
            <Proposal key={change.name} change={change} asked={asked.get(change.name)} />
          ))}
        </dl>
        {changes.length > SHOWN && <p className="text-11 text-fg-3">{t("more", { count: changes.length - SHOWN })}</p>}
        {unanswered && <p className="mt-1.5 text-pretty text-fg-2">{t("unanswered")}</p>}
        {note && <p className="mt-1.5 text-11 text-pretty text-fg-3 wrap-anywhere">{note}</p>}
        <Decision confirmation={confirmation} />
      </div>
    </article>
  );
});

const LOOK = { approved: "succeeded", denied: "denied", closed: "cancelled" } as const;

function Head({ confirmation }: { confirmation: Confirmation }) {
  const t = useTranslations("thread.ask");
  const who = actorName(confirmation.decided_by) ?? t("somebody");
  switch (confirmation.status) {
    case "requested":
      return (
        <header className="flex items-center gap-1.5 bg-st-waiting-bg px-2.25 py-1.25 font-medium text-st-waiting">
          <Icon name="waiting" size={14} />
          {t(confirmation.cause === "interrupted" ? "stopped" : "waiting")} {confirmation.instance}
          <Waited at={confirmation.requested_at} />
        </header>
      );
    case "approved":
    case "denied":
      return (
        <header className="flex items-center gap-1.5 border-line border-b px-2.25 py-1.25 text-fg-2">
          <StatusIcon status={LOOK[isClosed(confirmation) ? "closed" : confirmation.status]} size={14} />
          <span className="min-w-0 truncate">
            {isClosed(confirmation) ? t("closed") : t(confirmation.status, { who: who.replace(/^[a-z]+:/, "") })}
            {confirmation.asked && ` · ${t("edited")}`}
          </span>
          {confirmation.instance}
          <Clock at={confirmation.decided_at} className="ml-auto text-11" />
        </header>
      );
    default:
      return confirmation.status satisfies never;
  }
}

/** The waiting time at the step; nothing without recorded times. */
function Waited({ at }: { at: string | null }) {
  const now = useSessionTime();
  const duration = useDuration();
  if (at === null || now === null) return null;
  return (
    <span className="ml-auto text-11 font-normal tabular-nums" suppressHydrationWarning>
      {duration(Math.max(0, now - Date.parse(at)))}
    </span>
  );
}

/** The originally requested values, by name, when a person approved others. */
function askedOf({ asked, before }: Confirmation, state: Json): Map<string, ValueChange> {
  const changes = asked ? changesOf(asked.params, before, state) : [];
  return new Map(changes.map((change) => [change.name, change]));
}

function Proposal({ change, asked }: { change: ValueChange; asked: ValueChange | undefined }) {
  const t = useTranslations("thread.ask");
  const short = useShortValue();
  const { name } = change;
  const isEdited = asked !== undefined && !isSameJson(asked.after, change.after);
  const { before, after } = figuresOf(change) ?? change;
  return (
    <div className="flex min-w-0 flex-wrap items-baseline gap-x-1.75 tabular-nums">
      <dt className="truncate text-11 text-fg-3">{name.split(".").at(-1)}</dt>
      <dd className="min-w-0 text-13 wrap-anywhere">
        {before !== undefined && (
          <span className="text-fg-3">
            <del>
              <ShortValue value={before} />
            </del>
            <span aria-hidden> → </span>
          </span>
        )}
        <ins className="font-semibold no-underline">
          <ShortValue value={after} />
        </ins>
        {isEdited && (
          <span className="pl-1.75 text-11 text-fg-3">
            {t("asked", { value: short((figuresOf(asked) ?? asked).after) })}
          </span>
        )}
      </dd>
    </div>
  );
}
