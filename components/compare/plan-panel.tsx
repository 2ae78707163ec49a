"use client";

import { useTranslations } from "next-intl";
import { PathPill } from "@/components/ui/path-pill.tsx";
import type { EdgeChange, PlannedPair, PlanPair } from "@/lib/session/compare/plans.ts";
import type { TurnPair } from "@/lib/session/compare/runs.ts";
import { alignTurns } from "@/lib/session/compare/runs.ts";
import type { JsonObject } from "@/lib/session/json.ts";
import type { Plan, View } from "@/lib/session/session.ts";
import { fromView } from "@/lib/session/view.ts";
import { Changes } from "./changes.tsx";
import { type Comparison, isOther } from "./compare-sessions.ts";
import { Nothing } from "./nothing.tsx";
import { Panel } from "./panel.tsx";
import { SideBadge } from "./side-badge.tsx";
import { LOOK, StandingMark } from "./standing-mark.tsx";
import { usePlace } from "./use-place.ts";

/** The plans of both sides, each with the calls and edges that differ. */
export function PlanPanel({ comparison, a, b }: { comparison: Comparison; a: View; b: View }) {
  const t = useTranslations("compare.plan");
  const [{ only }] = usePlace();
  const shown = only ? comparison.plans.filter(isOther) : comparison.plans;
  const turns = alignTurns(fromView(a), fromView(b));
  return (
    <Panel count={comparison.counts.plan} narrows>
      {shown.length === 0 && <Nothing words={t(comparison.plans.length === 0 ? "none" : "same")} />}
      {shown.map((pair, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the plans of two ends of sessions stay as they are
        <PlanSection key={index} pair={pair} turns={turns} only={only} />
      ))}
    </Panel>
  );
}

function PlanSection({ pair, turns, only }: { pair: PlanPair; turns: readonly TurnPair[]; only: boolean }) {
  const t = useTranslations("compare.plan");
  const calls = only ? pair.calls.filter(isOther) : pair.calls;
  const stop = isOther(pair) ? { "data-difference": true, tabIndex: -1 } : {};
  return (
    <section
      {...stop}
      className="border-line border-b px-3 py-2.5 outline-none focus-visible:shadow-[inset_0_0_0_2px_var(--accent)]"
    >
      <h2 className="flex flex-wrap items-center gap-x-4 gap-y-1 pb-1.5">
        <span className="inline-flex items-center">
          <StandingMark standing={pair.standing} className="mr-1" />
          <SideBadge side="a" className="mr-1.5" />
          <PlanName plan={pair.a} turn={numberOf(pair.a, "a", turns)} />
        </span>
        <span className="inline-flex items-center">
          <SideBadge side="b" className="mr-1.5" />
          <PlanName plan={pair.b} turn={numberOf(pair.b, "b", turns)} />
        </span>
        {!isOther(pair) && <span className="text-fg-3">{t("alike", { count: pair.calls.length })}</span>}
      </h2>
      {isOther(pair) && (
        <ul className="flex flex-col gap-1">
          {calls.map((call) => (
            <PlannedCall key={call.id} call={call} />
          ))}
        </ul>
      )}
      {pair.edges.length > 0 && <Edges edges={pair.edges} />}
    </section>
  );
}

function PlanName({ plan, turn }: { plan: Plan | null; turn: number | null }) {
  const t = useTranslations("compare.plan");
  if (!plan) return <span className="text-fg-3">{t("noPlan")}</span>;
  return (
    <span className="font-medium tabular-nums">
      {turn === null ? t("delegated", { iteration: plan.iteration }) : t("name", { turn, iteration: plan.iteration })}
      {plan.rejected && <span className="pl-1.5 font-normal text-st-failed">{t("rejected")}</span>}
    </span>
  );
}

/** A turn that a fork goes on with is known by the run that it went on with; the one before belongs to it as well. */
function numberOf(plan: Plan | null, side: "a" | "b", turns: readonly TurnPair[]): number | null {
  return turns.find((turn) => turn[side]?.id === plan?.run_id)?.number ?? null;
}

function PlannedCall({ call: { id, a, b, standing, changes } }: { call: PlannedPair }) {
  const t = useTranslations("compare.plan");
  return (
    <li className={`rounded-2 border border-line px-2 py-1 ${standing === "changed" ? "" : LOOK[standing].ground}`}>
      <p className="flex items-center gap-2">
        <StandingMark standing={standing} />
        <span className="font-medium">{toolOf(b ?? a)}</span>
        <span className="font-mono text-11 text-fg-3">{id}</span>
        {(standing === "a" || standing === "b") && <span className="text-fg-2">{t(`alone.${standing}`)}</span>}
      </p>
      {changes.length > 0 && (
        <div className="pt-1">
          <Changes changes={changes} label={t("parameters", { call: id })} />
        </div>
      )}
    </li>
  );
}

function toolOf(call: JsonObject | null): string {
  return typeof call?._tool === "string" ? call._tool : "";
}

/** The state paths by which calls hang together on one side alone. */
function Edges({ edges }: { edges: readonly EdgeChange[] }) {
  const t = useTranslations("compare.plan");
  return (
    <>
      <h3 className="pt-2.5 pb-1 text-11 text-fg-3">{t("edges", { count: edges.length })}</h3>
      <ul className="flex flex-col gap-1">
        {edges.slice(0, MOST_EDGES).map(({ side, edge }) => (
          <li
            key={`${side} ${edge.from} ${edge.to}`}
            className={`flex flex-wrap items-center gap-2 rounded-1 px-2 py-0.5 ${LOOK[side].ground}`}
          >
            <StandingMark standing={side} />
            <span className="font-mono text-11">
              {edge.from} → {edge.to}
            </span>
            {edge.paths.map((path) => (
              <PathPill key={path} path={path} />
            ))}
          </li>
        ))}
      </ul>
      {edges.length > MOST_EDGES && (
        <p className="pt-1 text-fg-3">{t("moreEdges", { count: edges.length - MOST_EDGES })}</p>
      )}
    </>
  );
}

const MOST_EDGES = 100;
