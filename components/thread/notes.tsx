"use client";

import { useTranslations } from "next-intl";
import { actorName } from "@/components/agents/actor-name.ts";
import { Clock } from "@/components/format/clock.tsx";
import { useStageNames } from "@/components/stages/use-stage-names.ts";
import { useEvent } from "@/components/studio/use-event.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Icon, type IconName } from "@/components/ui/icon.tsx";
import { Link } from "@/components/ui/link.tsx";
import { isKnown, type SessionEvent } from "@/lib/session/event.ts";
import { isJsonObject } from "@/lib/session/json/json.ts";
import type { Alert, Session, Warning } from "@/lib/session/session.ts";
import { MemoryCheck } from "./message/memory-check.tsx";
import type { MarkType } from "./sections.ts";

/** An alert. */
export function AlertNote({ alert, lit }: { alert: Alert; lit: boolean }) {
  const t = useTranslations("thread");
  return (
    <article
      data-seq={alert.seq}
      className={`my-1.5 rounded-2 border border-st-escalated bg-surface px-2 py-1.5 ${lit ? "ring-1 ring-accent-line" : ""}`}
    >
      <header className="flex items-center gap-1.5 font-medium text-st-escalated">
        <Icon name="escalated" size={14} />
        {t("alert")}
        <Clock at={alert.at} className="ml-auto text-11 font-normal" />
      </header>
      <p className="mt-0.5 text-13 leading-[var(--lh-body)] text-pretty wrap-anywhere">{alert.text}</p>
      {alert.reason && <p className="mt-0.5 text-fg-3 wrap-anywhere">{alert.reason}</p>}
      <Link
        href="/approvals/alerts"
        className="mt-0.5 inline-flex min-h-6 items-center gap-1 rounded-1 text-fg-2 underline decoration-line-control underline-offset-3 hover:decoration-fg"
      >
        {t("alertInbox")}
      </Link>
    </article>
  );
}

/** A warning about the log. */
export function WarningNote({ warning, lit }: { warning: Warning; lit: boolean }) {
  const t = useTranslations("thread");
  return (
    <article
      data-seq={warning.seq}
      className={`my-1.5 flex gap-1.75 rounded-2 border border-line px-2 py-1.5 text-fg-2 ${lit ? "bg-accent-soft" : "bg-canvas"}`}
    >
      <Icon name="warn" size={14} className="mt-px text-st-waiting" />
      <p className="min-w-0 text-pretty wrap-anywhere">
        <b className="font-medium">{t("logWarning")}</b> {warning.message}
      </p>
    </article>
  );
}

/** Self-check warnings that are not part of an answer. */
export function CheckNote({ seq, warnings, lit }: { seq: number; warnings: readonly string[]; lit: boolean }) {
  return (
    <article
      data-seq={seq}
      className={`my-1 border-l-2 border-dotted border-line-control pl-2.5 ${lit ? "bg-accent-soft" : ""}`}
    >
      <MemoryCheck warnings={warnings} open />
    </article>
  );
}

const MARK_ICONS: Record<MarkType, IconName> = {
  "stage.changed": "right",
  "conversation.taken_over": "manager",
  "conversation.handed_back": "manager",
};

/** A line for a change of stage or agent. */
export function Mark({ seq, type, lit }: { seq: number; type: MarkType; lit: boolean }) {
  return (
    <p
      data-seq={seq}
      className={`my-1.5 flex min-h-5 items-center gap-1.5 rounded-1 px-1.5 text-11 text-fg-3 ${lit ? "bg-accent-soft" : ""}`}
    >
      <Icon name={MARK_ICONS[type]} size={12} />
      <span className="min-w-0 text-pretty wrap-anywhere">
        <MarkText seq={seq} type={type} />
      </span>
    </p>
  );
}

/** A single word that leads back to the administrator is a command (D2), shown with its result. */
const COMMAND_LENGTH = 20;

function wordBefore({ messages }: Session, { seq, payload }: SessionEvent): string | null {
  if (!isJsonObject(payload) || payload.to !== "admin") return null;
  const said = messages.findLast((message) => message.role === "user" && message.seq < seq)?.content;
  return typeof said === "string" && said.length <= COMMAND_LENGTH ? said.trim() : null;
}

/** The timeline has its step; the details are in the event. */
function MarkText({ seq, type }: { seq: number; type: MarkType }) {
  const t = useTranslations();
  const names = useStageNames();
  const event = useEvent(seq);
  const said = useStudio(({ session }) => (event ? wordBefore(session, event) : null));
  const label = t(`events.type.${type}`);
  if (!event || !isKnown(event)) return label;
  switch (event.type) {
    case "stage.changed": {
      const { from } = event.payload;
      const to = names.stage(event.payload.to);
      if (from === null) return t("thread.stageFirst", { to });
      const stages = { from: names.stage(from), to };
      return said === null ? t("thread.stage", stages) : t("thread.stageOn", { ...stages, said });
    }
    case "conversation.taken_over":
    case "conversation.handed_back": {
      const { by = actorName(event.actor), reason } = event.payload;
      return (
        <>
          {[label, by, reason].filter(Boolean).join(" · ")} <Clock at={event.occurred_at} />
        </>
      );
    }
    default:
      return label;
  }
}
