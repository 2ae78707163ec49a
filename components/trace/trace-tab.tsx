"use client";

import { useTranslations } from "next-intl";
import { useDeferredValue, useMemo } from "react";
import { StepLink } from "@/components/inspector/step-link.tsx";
import { useSelectCall } from "@/components/selection/use-select-call.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Button } from "@/components/ui/button.tsx";
import { shownStatus } from "@/components/ui/status.ts";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import { type CallReason, callReasons, type PlanReasons } from "./call-reasons.ts";
import type { SessionTrace } from "./newest-traces.ts";
import { StepFrame } from "./step-frame.tsx";
import { TraceSteps } from "./trace-steps.tsx";
import { useSessionTraces } from "./use-session-traces.ts";

/** The Trace tab: reasoning traces up to the step, and reasons of calls (C6). */
export function TraceTab() {
  const t = useTranslations("trace");
  const session = useDeferredValue(useStudio((state) => state.session));
  const plans = useMemo(() => callReasons(session), [session]);
  const traces = useSessionTraces();
  const isEmpty = plans.length === 0 && traces.data?.length === 0;
  return (
    <div className="h-full overflow-y-auto">
      {traces.isPending && <p className="p-3 text-fg-3">{t("loading")}</p>}
      {traces.error && (
        <p role="alert" className="flex items-center gap-2 p-3 text-st-failed">
          {traces.error.message}
          <Button onClick={() => void traces.refetch()}>{t("retry")}</Button>
        </p>
      )}
      {traces.data?.map((trace) => (
        <AgentTrace key={`${trace.agent} ${trace.key}`} trace={trace} />
      ))}
      {plans.map((plan) => (
        <Plan key={plan.key} plan={plan} />
      ))}
      {isEmpty && (
        <div className="p-3 text-pretty">
          <p className="font-medium">{t("empty")}</p>
          <p className="mt-1 text-fg-3">
            {t.rich("emptyWhy", { code: (text) => <code className="font-mono text-11">{text}</code> })}
          </p>
        </div>
      )}
    </div>
  );
}

function AgentTrace({ trace: { agent, key, step, trace } }: { trace: SessionTrace }) {
  return (
    <section aria-label={`${agent} / ${key}`} className="border-line border-b px-3 py-2">
      <header className="mb-1.5 flex min-h-6 items-center gap-1.5">
        <h3 className="min-w-0 truncate font-semibold">{agent}</h3>
        <code className="min-w-0 truncate font-mono text-11 text-fg-3">{key}</code>
        <span className="flex-1" />
        <span className="flex-none text-11 whitespace-nowrap">
          <StepLink step={step} />
        </span>
      </header>
      <TraceSteps trace={trace} />
    </section>
  );
}

function Plan({ plan: { run, iteration, reasons } }: { plan: PlanReasons }) {
  const t = useTranslations("trace");
  const name = t("plan", { iteration });
  return (
    <section aria-label={name} className="border-line border-b px-3 py-2">
      <header className="mb-1.5 flex min-h-6 items-center gap-1.5">
        <h3 className="min-w-0 truncate font-semibold">{run?.agent_id ?? run?.delegate ?? name}</h3>
        {(run?.agent_id ?? run?.delegate) && <span className="flex-none text-11 text-fg-3">{name}</span>}
        <span className="flex-1" />
        {run && (
          <span className="flex-none text-11 whitespace-nowrap">
            <StepLink step={run.started_seq} />
          </span>
        )}
      </header>
      <ol>
        {reasons.map((reason, index) => (
          <StepFrame key={reason.key} phase="reasoning" last={index === reasons.length - 1}>
            <p className="text-13 leading-[var(--lh-body)] text-pretty wrap-anywhere">{reason.reasoning}</p>
            <Outcome reason={reason} />
          </StepFrame>
        ))}
      </ol>
    </section>
  );
}

/** The call of a reason, with its status for each instance. */
function Outcome({ reason: { tool, calls } }: { reason: CallReason }) {
  const t = useTranslations();
  const selectCall = useSelectCall();
  if (calls.length === 0)
    return (
      <p className="mt-0.5 flex min-h-6 items-center gap-1.5 text-fg-3">
        <StatusIcon status="planned" size={14} label={t("events.call_status.planned")} />
        {tool}
      </p>
    );
  return (
    <ul className="mt-0.5">
      {calls.map((call) => (
        <li key={call.instance}>
          <button
            type="button"
            onClick={() => selectCall(call)}
            className="-ml-1 flex min-h-6 max-w-full items-center gap-1.5 rounded-1 px-1 text-left hover:bg-hover"
          >
            <StatusIcon status={shownStatus(call)} size={14} label={t(`events.call_status.${shownStatus(call)}`)} />
            <span className="min-w-0 truncate font-medium">{call.tool}</span>
            {call.instance !== "" && <span className="text-fg-2">{call.instance}</span>}
            {call.error && <span className="min-w-0 truncate text-11 text-st-failed">{call.error.code}</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}
