"use client";

import { useTranslations } from "next-intl";
import { isForPlanned } from "@/components/format/known-reason.ts";
import { useDuration } from "@/components/format/use-duration.ts";
import { useReasonText } from "@/components/format/use-reason-text.ts";
import { missingInputsOf } from "@/components/selection/missing-inputs.ts";
import { useSessionTime } from "@/components/studio/use-session-time.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { shownStatus } from "@/components/ui/status.ts";
import type { Call } from "@/lib/session/session.ts";

/** The engine's reason for a branch that was not taken (P21), in the reader's language. */
const NOT_TAKEN = "branch not taken";

type NoteKind = "waits" | "decided" | "reason" | "missing" | "retries" | "tries" | "untaken";

/** The most important note on a call; null when its status says everything. */
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

/** A note on a call, in one line. */
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
  const told = useReasonText();
  const reason = told(call.error?.message ?? call.reason ?? "");
  return (
    <div className={`pg-line ${shownStatus(call) === "failed" ? "pg-error" : "pg-quiet"}`} title={reason}>
      <span className="pg-cut">{words ?? reason}</span>
    </div>
  );
}

/** The missing path of a call that never ran; the recorded reason when it is not a path of the plan. */
function Missing({ call }: { call: Call }) {
  const t = useTranslations("graph");
  const path = useStudio(({ session }) => missingInputsOf(session, call)[0]?.path ?? null);
  if (path === null || isForPlanned(call)) return <Reason call={call} />;
  return <Reason call={call} words={call.status === "skipped" ? t("notTaken") : t("without", { path })} />;
}

/** The number of the attempt, or the time until the next one. */
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
  /** Without the error, when there is no room for it. */
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

/** A decision was made, and the agent has not continued yet. */
function Decided({ call }: { call: Call }) {
  const t = useTranslations("events.call_status");
  const words = t(shownStatus(call));
  return (
    <div className="pg-line pg-quiet" title={words}>
      <span className="pg-cut">{words}</span>
    </div>
  );
}

/** A decision is pending, and for how long. */
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
