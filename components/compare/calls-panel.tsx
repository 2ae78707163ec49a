"use client";

import { useTranslations } from "next-intl";
import { useDuration } from "@/components/studio/use-duration.ts";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import type { CallPair } from "@/lib/session/compare/calls.ts";
import type { Call, View } from "@/lib/session/session.ts";
import { Changes } from "./changes.tsx";
import { type Comparison, isOther } from "./compare-sessions.ts";
import { Nothing } from "./nothing.tsx";
import { Panel } from "./panel.tsx";
import { SideBadge } from "./side-badge.tsx";
import { LOOK, StandingMark } from "./standing-mark.tsx";
import { StepLink } from "./step-link.tsx";
import { usePlace } from "./use-place.ts";

/** The calls of both sides: what became of each, how long it took, and what is different in its values. */
export function CallsPanel({ comparison, a, b }: { comparison: Comparison; a: View; b: View }) {
  const t = useTranslations("compare.calls");
  const [{ only }] = usePlace();
  const shown = only ? comparison.calls.filter(isOther) : comparison.calls;
  const before = leftOut(comparison, a, b);
  return (
    <Panel count={comparison.counts.calls} narrows>
      {before > 0 && <p className="px-3 pt-2.5 text-fg-3">{t("before", { count: before })}</p>}
      {shown.length === 0 && <Nothing words={t(comparison.calls.length === 0 ? "none" : "same")} />}
      <ol>
        {shown.map((pair) => (
          <Row key={`${keyOf(pair.a)} ${keyOf(pair.b)}`} pair={pair} a={a} b={b} />
        ))}
      </ol>
    </Panel>
  );
}

/** How many calls of the longer side are not told: older ones, and those that the other side is too long to have still. */
function leftOut({ calls }: Comparison, a: View, b: View): number {
  if (a.calls_before === 0 && b.calls_before === 0) return 0;
  const ofA = a.calls_before + a.calls.length - calls.filter((pair) => pair.a !== null).length;
  const ofB = b.calls_before + b.calls.length - calls.filter((pair) => pair.b !== null).length;
  return Math.max(ofA, ofB);
}

function keyOf(call: Call | null): string {
  return call ? JSON.stringify([call.run_id, call.iteration, call.instance, call.id]) : "";
}

function Row({ pair, a, b }: { pair: CallPair; a: View; b: View }) {
  const t = useTranslations("compare.calls");
  const stop = isOther(pair) ? { "data-difference": true, tabIndex: -1 } : {};
  const { params, output } = pair;
  return (
    <li {...stop} className="border-line border-b outline-none focus-visible:shadow-[inset_0_0_0_2px_var(--accent)]">
      <div
        className={`grid min-h-8 grid-cols-[20px_minmax(0,1fr)_minmax(0,1fr)] max-md:grid-cols-[20px_minmax(0,1fr)] ${pair.standing === "changed" ? "" : LOOK[pair.standing].ground}`}
      >
        <span className="self-center pl-2 max-md:row-span-2">
          <StandingMark standing={pair.standing} />
        </span>
        <Side side="a" call={pair.a} id={a.conversation_id} />
        <Side side="b" call={pair.b} id={b.conversation_id} />
      </div>
      {params.length + output.length > 0 && (
        <details className="px-3 pb-1.5 pl-7" open={params.length + output.length <= FEW}>
          <summary className="min-h-6 py-1 text-fg-2 marker:text-fg-3">
            {t("values", { params: params.length, output: output.length })}
          </summary>
          {params.length > 0 && (
            <section className="pb-2">
              <h2 className="pb-0.5 text-11 text-fg-3">{t("params")}</h2>
              <Changes changes={params} label={t("params")} />
            </section>
          )}
          {output.length > 0 && (
            <section className="pb-1">
              <h2 className="pb-0.5 text-11 text-fg-3">{t("output")}</h2>
              <Changes changes={output} label={t("output")} />
            </section>
          )}
        </details>
      )}
    </li>
  );
}

/** So many values are shown unasked. */
const FEW = 6;

function Side({ side, call, id }: { side: "a" | "b"; call: Call | null; id: string | null }) {
  const t = useTranslations("compare");
  const status = useTranslations("events.call_status");
  const duration = useDuration();
  if (!call) return <p className="self-center px-2 text-fg-3 max-md:hidden">{t("missing")}</p>;
  const { tool, instance, started_at, ended_at, error } = call;
  const shown = call.status === "failed" && call.handled ? "handled" : call.status;
  const took = started_at !== null && ended_at !== null ? Date.parse(ended_at) - Date.parse(started_at) : null;
  const seq = call.started_seq ?? call.parked_seq ?? call.ended_seq;
  return (
    <div className="flex min-w-0 items-center gap-2 px-2 py-1">
      <SideBadge side={side} className="md:hidden" />
      <StatusIcon status={shown} size={14} label={status(shown)} />
      <span className="min-w-0 truncate font-medium">{tool}</span>
      <span className="min-w-0 flex-1 truncate font-mono text-11 text-fg-3">
        {instance} {call.id}
        {error && <span className="text-st-failed"> {error.code}</span>}
      </span>
      {took !== null && <span className="flex-none text-fg-2 tabular-nums">{duration(took)}</span>}
      {seq !== null && <StepLink id={id} seq={seq} />}
    </div>
  );
}
