"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useDuration } from "@/components/format/use-duration.ts";
import { shownStatus } from "@/components/ui/status.ts";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import type { CallPair } from "@/lib/session/compare/calls.ts";
import { tookOf } from "@/lib/session/runs/took-of.ts";
import type { Call, View } from "@/lib/session/session.ts";
import { Changes } from "./changes.tsx";
import { type Comparison, isOther } from "./compare-sessions.ts";
import { DifferenceMark, LOOK } from "./difference-mark.tsx";
import { Nothing } from "./nothing.tsx";
import { Panel } from "./panel.tsx";
import { SideBadge } from "./side-badge.tsx";
import { StepLink } from "./steps/step-link.tsx";
import { usePlace } from "./use-place.ts";

/** The calls of both sides: status, duration, and different values. */
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
        {shown.map((pair, index) => (
          <Row key={`${keyOf(pair.a)} ${keyOf(pair.b)}`} pair={pair} a={a} b={b} isEarly={index < OPENED} />
        ))}
      </ol>
    </Panel>
  );
}

/** How many calls of the longer side are left out: older ones without a counterpart. */
function leftOut({ calls }: Comparison, a: View, b: View): number {
  if (a.calls_before === 0 && b.calls_before === 0) return 0;
  const ofA = a.calls_before + a.calls.length - calls.filter((pair) => pair.a !== null).length;
  const ofB = b.calls_before + b.calls.length - calls.filter((pair) => pair.b !== null).length;
  return Math.max(ofA, ofB);
}

function keyOf(call: Call | null): string {
  return call ? JSON.stringify([call.run_id, call.iteration, call.instance, call.id]) : "";
}

interface RowProps {
  pair: CallPair;
  a: View;
  b: View;
  /** One of the first calls, whose differences are shown at once. */
  isEarly: boolean;
}

function Row({ pair, a, b, isEarly }: RowProps) {
  const stop = isOther(pair) ? { "data-difference": true, tabIndex: -1 } : {};
  const values = pair.params.length + pair.output.length;
  return (
    <li
      {...stop}
      className="border-line border-b outline-none [contain-intrinsic-block-size:auto_33px] [content-visibility:auto] focus-visible:shadow-[inset_0_0_0_2px_var(--accent)]"
    >
      <div
        className={`grid min-h-8 grid-cols-[20px_minmax(0,1fr)_minmax(0,1fr)] max-md:grid-cols-[20px_minmax(0,1fr)] ${pair.standing === "changed" ? "" : LOOK[pair.standing].ground}`}
      >
        <span className="self-center pl-2 max-md:row-span-2">
          <DifferenceMark standing={pair.standing} />
        </span>
        <Side side="a" call={pair.a} id={a.conversation_id} />
        <Side side="b" call={pair.b} id={b.conversation_id} />
      </div>
      {values > 0 && <Values pair={pair} isOpen={isEarly && values <= FEW} />}
    </li>
  );
}

/** Limits of calls and values that are shown at once: rendering those of 2,000 calls takes seconds. */
const FEW = 6;
const OPENED = 100;

/** The different values of a call, rendered when visible. */
function Values({ pair: { params, output }, isOpen }: { pair: CallPair; isOpen: boolean }) {
  const t = useTranslations("compare.calls");
  const [isShown, setShown] = useState(isOpen);
  return (
    <details className="px-3 pb-1.5 pl-7" open={isShown} onToggle={({ currentTarget }) => setShown(currentTarget.open)}>
      <summary className="min-h-6 py-1 text-fg-2 marker:text-fg-3">
        {t("values", { params: params.length, output: output.length })}
      </summary>
      {isShown && params.length > 0 && (
        <section className="pb-2">
          <h2 className="pb-0.5 text-11 text-fg-3">{t("params")}</h2>
          <Changes changes={params} label={t("params")} />
        </section>
      )}
      {isShown && output.length > 0 && (
        <section className="pb-1">
          <h2 className="pb-0.5 text-11 text-fg-3">{t("output")}</h2>
          <Changes changes={output} label={t("output")} />
        </section>
      )}
    </details>
  );
}

function Side({ side, call, id }: { side: "a" | "b"; call: Call | null; id: string | null }) {
  const t = useTranslations("compare");
  const status = useTranslations("events.call_status");
  const duration = useDuration();
  if (!call) return <p className="self-center px-2 text-fg-3 max-md:hidden">{t("missing")}</p>;
  const { tool, instance, error } = call;
  const shown = shownStatus(call);
  const took = tookOf(call);
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
