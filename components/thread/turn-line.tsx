"use client";

import { useTranslations } from "next-intl";
import { type ShownRunStatus, shownRunStatus } from "@/components/studio/header/shown-run-status.ts";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import { speakerAt } from "@/lib/session/runs/speakers.ts";
import type { Run, Session } from "@/lib/session/session.ts";
import { turnOf } from "./turn.ts";

/** The status of a turn without an answer yet: queued, or who is answering. */
export function TurnLine({ session, run }: { session: Session; run: Run }) {
  const t = useTranslations("thread.turn");
  const turn = turnOf(session, run);
  if (turn === null) return null;
  const who = speakerAt(run, session.at);
  return (
    <p className="mx-3 my-1 flex min-h-6 items-center gap-1.5 border-l-2 border-line-strong pl-2.5 text-fg-3">
      <StatusIcon
        status={turn === "queued" ? "queued" : "running"}
        size={14}
        className={turn === "thinking" ? "animate-pulse-soft" : ""}
      />
      <span className="min-w-0 text-pretty">
        {turn === "thinking" && who !== null ? t("answering", { who }) : t(turn)}
      </span>
    </p>
  );
}

/** The newest turn's status for screen readers. */
export function TurnStatus({ run }: { run: Run | null }) {
  const t = useTranslations("thread");
  const wordsOf = (status: ShownRunStatus) => t(status === "waiting" ? "ask.waiting" : `turn.${status}`);
  return (
    <p role="status" className="sr-only">
      {run && wordsOf(shownRunStatus(run))}
    </p>
  );
}
