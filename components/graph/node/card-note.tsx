"use client";

import { useTranslations } from "next-intl";
import { isForPlanned } from "@/components/format/known-reason.ts";
import { useDuration } from "@/components/format/use-duration.ts";
import { useToldReason } from "@/components/format/use-told-reason.ts";
import { missingInputsOf } from "@/components/selection/missing-inputs.ts";
import { useSessionTime } from "@/components/studio/use-session-time.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { shownStatus } from "@/components/ui/status.ts";
import type { Call } from "@/lib/session/session.ts";

/** The engine's own word for a branch that was not taken (P21), told in the reader's language. */
const NOT_TAKEN = "branch not taken";

type NoteKind = "waits" | "decided" | "reason" | "missing" | "retries" | "tries" | "untaken";

/** The one thing that has to be said about a call; null when its status says all. */
export function noteKind(call: Call): NoteKind | null {
  if (call.status === "parked" && call.decision !== null) return "decided";
  switch (call.status) {
    case "parked":
      return "waits";
    case "failed":
    case "denied":
    case "superseded":
    case "cancelled":
      return call.error || call.reason ? "reason" : null;
    case "blocked":
      return "missing";
    case "skipped":
      if (call.planned) return "reason";
      return call.reason === null || call.reason === NOT_TAKEN ? "untaken" : "missing";
    case "running":
      return call.tries.length > 0 ? "retries" : null;
    case "planned":
    case "succeeded":
      return call.tries.length > 0 ? "tries" : null;
    default:
      return call.status satisfies never;
  }
}

/** What has to be said about a call, in one line. */
export function Note({ call }: { call: Call }) {
  const t = useTranslations("graph");
  const kind = noteKind(call);
  switch (kind) {
    case null:
      return null;
    case "waits":
      return <Wait call={call} />;
    case "decided":
      return <Decided call={call} />;
    case "untaken":
      return <div className="pg-line pg-quiet">{t("notTaken")}</div>;
    case "missing":
      return <Missing call={call} />;
    case "reason":
      return <Reason call={call} />;
    case "retries":
      return <Retry call={call} />;
    case "tries":
      return (
        <Tries call={call}>
          {t(call.status === "planned" ? "triesBefore" : "tries", {
            count: call.tries.length + (call.status === "planned" ? 0 : 1),
          })}
        </Tries>
      );
    default:
      return kind satisfies never;
  }
}

function Reason({ call, words }: { call: Call; words?: string }) {
  const told = useToldReason();
  const reason = told(call.error?.message ?? call.reason ?? "");
  return (
    <div className={`pg-line ${shownStatus(call) === "failed" ? "pg-error" : "pg-quiet"}`} title={reason}>
      <span className="pg-cut">{words ?? reason}</span>
    </div>
  );
}

/** The path for want of which a call never ran; where it is none of the plan's, the reason as it was given. */
function Missing({ call }: { call: Call }) {
  const t = useTranslations("graph");
  const path = useStudio(({ session }) => missingInputsOf(session, call)[0]?.path ?? null);
  if (path === null || isForPlanned(call)) return <Reason call={call} />;
  return <Reason call={call} words={call.status === "skipped" ? t("notTaken") : t("without", { path })} />;
}

/** Which try of a call this is, or how long until the next begins. */
function Retry({ call }: { call: Call }) {
  const t = useTranslations("graph");
  const duration = useDuration();
  const now = useSessionTime();
  const last = call.tries.at(-1);
  const next = last?.at && last.delay_ms !== null ? Date.parse(last.at) + last.delay_ms : null;
  const left = next === null || now === null ? 0 : Math.ceil((next - now) / SECOND) * SECOND;
  const number = call.tries.length + 1;
  if (left <= 0) return <Tries call={call}>{t("tryNow", { number })}</Tries>;
  return (
    <Tries call={call} bare>
      {t("tryIn", { number, duration: duration(left) })}
    </Tries>
  );
}

const SECOND = 1_000;

interface TriesProps {
  call: Call;
  /** Without what went wrong, where the words take the whole line. */
  bare?: boolean;
  children: string;
}

function Tries({ call, bare = false, children }: TriesProps) {
  const last = call.tries.at(-1);
  const error = last?.error?.code ?? last?.reason ?? null;
  return (
    <div className="pg-line pg-error" title={last?.error?.message}>
      <Icon name="retry" size={12} />
      <span className="pg-cut">{[children, bare ? null : error].filter(Boolean).join(" · ")}</span>
    </div>
  );
}

/** That a person has decided, and its agent has not gone on yet. */
function Decided({ call }: { call: Call }) {
  const t = useTranslations("events.call_status");
  const words = t(shownStatus(call));
  return (
    <div className="pg-line pg-quiet" title={words}>
      <span className="pg-cut">{words}</span>
    </div>
  );
}

/** That a person has to decide, and for how long by now. */
function Wait({ call }: { call: Call }) {
  const t = useTranslations("graph");
  const duration = useDuration();
  const now = useSessionTime();
  const since =
    call.parked_at === null || now === null ? null : duration(Math.max(0, now - Date.parse(call.parked_at)));
  const cause = call.reason === "interrupted" ? "interrupted" : "confirmation";
  return (
    <div className="pg-line pg-wait" title={t(`why.${cause}`)}>
      <span className="pg-cut">
        {since === null ? t(`waits.${cause}`) : t(`waitsFor.${cause}`, { duration: since })}
      </span>
    </div>
  );
}
