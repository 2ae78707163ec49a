"use client";

import { useTranslations } from "next-intl";
import { useDeferredValue, useMemo } from "react";
import { Decision } from "@/components/decision/decision.tsx";
import { ExplainFailure } from "@/components/failure/failure-button.tsx";
import { askedFor } from "@/components/format/asked-for.ts";
import { useDuration } from "@/components/format/use-duration.ts";
import { useReasonText } from "@/components/format/use-reason-text.ts";
import { toolAddress } from "@/components/overview/tool-address.ts";
import { callOfEvent } from "@/components/selection/event-call.ts";
import { findCall } from "@/components/selection/select-call.ts";
import { useResolvedSelection } from "@/components/selection/use-resolved-selection.ts";
import { useSelection } from "@/components/selection/use-selection.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Link } from "@/components/ui/link.tsx";
import { PathPill } from "@/components/ui/path-pill.tsx";
import { STATUS, STATUS_INK, shownStatus } from "@/components/ui/status.ts";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import type { PlanCall } from "@/lib/plan/call.ts";
import { printExpression, printPath } from "@/lib/plan/reference.ts";
import type { SessionEvent } from "@/lib/session/event.ts";
import { planKey } from "@/lib/session/keys.ts";
import { readPlan } from "@/lib/session/runs/planned-calls.ts";
import { tookOf } from "@/lib/session/runs/took-of.ts";
import type { Call, Session } from "@/lib/session/session.ts";
import { ValueSources } from "@/lib/session/values/value-sources.ts";
import { CitedTree } from "../cited-tree.tsx";
import { Part } from "../part.tsx";
import { CallFacts } from "./call-facts.tsx";
import { CallMissingInputs } from "./call-missing-inputs.tsx";
import { CallProblems } from "./call-problems.tsx";
import { CallTries } from "./call-tries.tsx";
import { RunAgain } from "./run-again.tsx";
import { CallValues } from "./values/call-values.tsx";
import { useValueEdges } from "./values/use-value-edges.ts";
import { readerRows, sourceRows, type ValueRow } from "./values/value-rows.ts";

/** The Call tab: input, output and details (C6). Without a selection, the call of the current step. */
export function CallTab() {
  const t = useTranslations("inspector.call");
  const session = useDeferredValue(useStudio((state) => state.session));
  const event = useStudio((state) => state.event);
  const looked = useResolvedSelection(session);
  const [{ call: selected }] = useSelection();
  const call = useMemo(
    () => (selected === null ? callAt(session, event) : findCall(session, looked, selected)),
    [session, event, looked, selected],
  );
  if (call)
    return (
      <CallView key={[call.run_id, call.iteration, call.instance, call.id].join(" ")} session={session} call={call} />
    );
  return (
    <p className="p-3 text-fg-3">{selected === null ? t("none") : t("notYet", { id: selected, step: session.at })}</p>
  );
}

/** The call of a step; at the end of a failed run, the call that failed. */
function callAt(session: Session, event: SessionEvent | null): Call | null {
  const call = callOfEvent(session, event);
  if (call || event?.type !== "run.failed") return call;
  return (
    [...session.calls.values()].findLast((one) => one.run_id === event.run_id && shownStatus(one) === "failed") ?? null
  );
}

function CallView({ session, call }: { session: Session; call: Call }) {
  const t = useTranslations("inspector.call");
  const told = useReasonText();
  const planned = useMemo(() => plannedFor(session, call), [session, call]);
  const edges = useValueEdges();
  const known = useMemo(() => new ValueSources(session, edges), [session, edges]);
  const sources = useMemo(() => sourceRows(known, call), [known, call]);
  const uses = useMemo(() => readerRows(known, call), [known, call]);
  const why = planned?.reasoning && (
    <Part title={t("reasoning")}>
      <p className="border-l-2 border-line-strong pl-2.5 text-13 leading-[var(--lh-body)] text-pretty wrap-anywhere">
        {planned.reasoning}
      </p>
    </Part>
  );
  return (
    <div className="h-full overflow-y-auto">
      <Head call={call} />
      <CallDecision session={session} call={call} />
      <CallProblems session={session} call={call} severity="error" />
      <CallMissingInputs session={session} call={call} />
      {call.error && (
        <Part title={call.handled ? t("errorHandled") : t("error")}>
          <p className={`rounded-2 px-2 py-1.5 wrap-anywhere ${call.handled ? "bg-sunken" : "bg-st-failed-bg"}`}>
            <code className="font-mono text-11 text-st-failed">{call.error.code}</code> {told(call.error.message)}
          </p>
          <div className="mt-2 flex flex-wrap gap-1.5">
            <ExplainFailure seq={call.ended_seq} />
            <RunAgain session={session} call={call} />
          </div>
        </Part>
      )}
      {call.error === null && why}
      <CallFacts session={session} call={call} planned={planned} />
      <CallInput call={call} planned={planned} sources={sources} />
      {/* For a failed call the error comes first, then the input; the reasoning is last. */}
      {call.error !== null && why}
      <Part title={t("output")} aside={uses.length > 0 && t("values.to")}>
        <CallValues kind="to" rows={uses} />
        {call.output === null ? (
          <p className="text-fg-3">{call.ended_seq === null ? t("noOutputYet") : t("noOutput")}</p>
        ) : (
          <CitedTree label={t("output")} value={call.output} />
        )}
      </Part>
      {call.tries.length > 0 && <CallTries call={call} />}
      <CallProblems session={session} call={call} severity="warning" />
    </div>
  );
}

function Head({ call }: { call: Call }) {
  const t = useTranslations();
  const duration = useDuration();
  const told = useReasonText();
  const took = tookOf(call);
  return (
    <header className="flex flex-col gap-0.5 border-line border-b px-3 py-2">
      <div className="flex min-w-0 items-center gap-1.5">
        <StatusIcon status={shownStatus(call)} />
        <h3 className="min-w-0 truncate text-13 font-semibold">
          <Link
            href={toolAddress(call.tool)}
            title={t("inspector.call.allCalls", { tool: call.tool })}
            className="hover:underline hover:underline-offset-2"
          >
            {call.tool}
          </Link>
        </h3>
        {call.instance !== "" && <span className="text-fg-2">{call.instance}</span>}
        {took !== null && <span className="ml-auto text-fg-3 tabular-nums">{duration(took)}</span>}
      </div>
      <p className="pl-5.5 wrap-anywhere">
        <span className={`font-medium ${STATUS_INK[STATUS[shownStatus(call)].token]}`}>
          {call.status === "parked" && call.decision === null && call.reason === "interrupted"
            ? t("inspector.call.interrupted")
            : t(`events.call_status.${shownStatus(call)}`)}
        </span>
        {call.reason && call.status !== "parked" && <span className="text-fg-2"> · {told(call.reason)}</span>}
      </p>
    </header>
  );
}

/** The call in its plan; null for a recorded call. */
function plannedFor(session: Session, call: Call) {
  const plan = session.plans.get(planKey(call.run_id, call.iteration));
  const calls = plan?.calls.filter(({ _id }) => _id === call.id) ?? [];
  return readPlan({ calls, outputs: plan?.outputs ?? [] })[0] ?? null;
}

/** Why a call is parked, and the decision (P22, P23). */
function CallDecision({ session, call }: { session: Session; call: Call }) {
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

interface CallInputProps {
  call: Call;
  planned: PlanCall | null;
  sources: readonly ValueRow[];
}

/** A call's input values, each with the reference that it was read from, or where it came from. */
function CallInput({ call, planned, sources }: CallInputProps) {
  const t = useTranslations("inspector.call");
  const references = new Map(
    planned?.reads.map(({ parameter, expression }) => [printPath(parameter), printExpression(expression)]),
  );
  const value = call.params ?? planned?.parameters ?? null;
  return (
    <Part
      title={t("input")}
      aside={call.params === null && value !== null ? t("asPlanned") : sources.length > 0 && t("values.from")}
    >
      <CallValues kind="from" rows={sources} />
      {value === null ? (
        <p className="text-fg-3">{t("noInput")}</p>
      ) : (
        <CitedTree
          label={t("input")}
          value={value}
          asideOf={(row) => {
            const reference = call.params === null ? undefined : references.get(row.id);
            return reference && <PathPill path={reference} />;
          }}
        />
      )}
    </Part>
  );
}
