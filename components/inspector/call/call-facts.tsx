"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { actorName } from "@/components/agents/actor-name.ts";
import { isClosed } from "@/components/format/asked-for.ts";
import { Clock } from "@/components/format/clock.tsx";
import { useReasonText } from "@/components/format/use-reason-text.ts";
import { useSelection } from "@/components/selection/use-selection.ts";
import { Link } from "@/components/ui/link.tsx";
import { PathPill } from "@/components/ui/path-pill.tsx";
import type { PlanCall } from "@/lib/plan/call.ts";
import { printReference } from "@/lib/plan/reference.ts";
import { childRunOf } from "@/lib/session/runs/child-run.ts";
import { isFannedOut } from "@/lib/session/runs/planned-calls.ts";
import type { Call, Session } from "@/lib/session/session.ts";
import { Fact, Facts } from "../part.tsx";
import { StepLink } from "../step-link.tsx";

interface CallFactsProps {
  session: Session;
  call: Call;
  planned: PlanCall | null;
}

/** A call's details: id, times, output path and approval. */
export function CallFacts({ session, call, planned }: CallFactsProps) {
  const t = useTranslations("inspector.call");
  const told = useReasonText();
  const confirmation = session.confirmations.get(call.confirmation_id ?? "");
  const delegate = planned?.delegate ?? delegateOf(session, call);
  return (
    <div className="border-line border-b">
      <Facts>
        <Fact label={t("id")}>
          <code className="font-mono text-11">{call.id}</code>
          {call.iteration > 0 && <span className="text-fg-3">{t("iteration", { number: call.iteration })}</span>}
        </Fact>
        {delegate && <Fact label={t("delegate")}>{delegate}</Fact>}
        <Step label={t("parked")} step={call.parked_seq} at={call.parked_at} />
        <Step label={t("started")} step={call.started_seq} at={call.started_at} />
        <Step label={t("ended")} step={call.ended_seq} at={call.ended_at} />
        {call.recorded && (
          <Fact label={t("recorded")}>
            <span>
              {t.rich("recordedAt", {
                step: call.recorded.seq,
                link: (words) => <RecordedLink at={call.recorded}>{words}</RecordedLink>,
              })}
            </span>
          </Fact>
        )}
        {planned?.output && (
          <Fact label={t("outputPath")}>
            <OutputPath call={call} planned={planned} output={planned.output} />
          </Fact>
        )}
        {confirmation && (
          <Fact label={t("confirmation")}>
            {confirmation.status === "requested"
              ? t("undecided")
              : isClosed(confirmation)
                ? t("closed")
                : t(confirmation.status, { who: actorName(confirmation.decided_by) ?? t("somebody") })}
            {confirmation.decided_seq !== null && <StepLink step={confirmation.decided_seq} />}
            {confirmation.reason && <span className="text-fg-2">{told(confirmation.reason)}</span>}
          </Fact>
        )}
      </Facts>
    </div>
  );
}

function Step({ label, step, at }: { label: string; step: number | null; at: string | null }) {
  if (step === null) return null;
  return (
    <Fact label={label}>
      <StepLink step={step} />
      <Clock at={at} precise />
    </Fact>
  );
}

type OutputPaths = NonNullable<PlanCall["output"]>;

/** The alternatives of an output path; the taken one is marked after the call has ended. */
function OutputPath({ call, planned, output }: { call: Call; planned: PlanCall; output: OutputPaths }) {
  const t = useTranslations("inspector.call");
  const [{ path: selected }, select] = useSelection();
  const taken =
    call.ended_seq === null || output.length === 1 ? null : (call.branch ?? (call.status === "succeeded" ? 0 : null));
  return output.map((targets, alternative) => (
    <span
      // biome-ignore lint/suspicious/noArrayIndexKey: an alternative is known by its place
      key={alternative}
      className="inline-flex min-w-0 flex-wrap items-center gap-1"
    >
      {alternative > 0 && <span className="font-mono text-fg-3">||</span>}
      {targets.map((target, index) => {
        const path = printReference(target);
        return (
          <span key={path} className="inline-flex min-w-0 items-center gap-1">
            {index > 0 && isFannedOut(planned, alternative, target) && <span className="font-mono text-fg-3">&&</span>}
            <button
              type="button"
              onClick={() => select({ path: path === selected ? null : path })}
              className="inline-flex min-h-6 min-w-0 items-center"
            >
              <PathPill
                path={path}
                lit={path === selected}
                className={taken !== null && taken !== alternative ? "border-dashed line-through" : ""}
              />
            </button>
          </span>
        );
      })}
      {taken === alternative && <span className="text-fg-3">{t("taken")}</span>}
    </span>
  ));
}

function delegateOf(session: Session, call: Call): string | null {
  return childRunOf(session, call)?.delegate ?? null;
}

/** A link to the step of another conversation in which this result was recorded. */
function RecordedLink({ at, children }: { at: Call["recorded"]; children: ReactNode }) {
  if (!at) return children;
  return (
    <Link
      href={`/conversations/${encodeURIComponent(at.conversation_id)}?at=${at.seq}`}
      className="underline underline-offset-3"
    >
      {children}
    </Link>
  );
}
