"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button.tsx";
import { PathPill } from "@/components/ui/path-pill.tsx";
import type { EdgeChange, PlannedPair, PlanPair } from "@/lib/session/compare/plans.ts";
import type { TurnPair } from "@/lib/session/compare/runs.ts";
import type { JsonObject } from "@/lib/session/json/json.ts";
import type { Plan } from "@/lib/session/session.ts";
import { Changes } from "../changes.tsx";
import { isOther } from "../compare-sessions.ts";
import { DifferenceMark, LOOK } from "../difference-mark.tsx";
import { SideBadge } from "../side-badge.tsx";

/** More rows would slow the page down, and nobody reads them one by one. */
const MOST_CALLS = 200;
const MOST_EDGES = 100;

/** The id of a call's row, to which the graph scrolls. */
export function callRow(plan: number, call: string): string {
  return `compare-call-${plan}-${call}`;
}

interface PlanSectionProps {
  pair: PlanPair;
  index: number;
  turns: readonly TurnPair[];
  only: boolean;
  /** This pair is the one in the graph. */
  isDrawn: boolean;
  /** It is the only pair. */
  isAlone: boolean;
  /** The selected call. */
  selected: string | null;
  onSelect: (selected: { call: string } | { path: string | null }) => void;
}

/** A pair of plans with its different calls and edges. Focusing a difference also selects it in the graph. */
export function PlanSection({ pair, index, turns, only, isDrawn, isAlone, selected, onSelect }: PlanSectionProps) {
  const t = useTranslations("compare.plan");
  const calls = isOther(pair) ? pair.calls.filter((call) => !only || isOther(call)) : [];
  const shown = [...calls.filter(isOther), ...calls.filter((call) => !isOther(call))].slice(0, MOST_CALLS);
  return (
    <section className="border-line border-b px-3 py-2.5" aria-current={isDrawn && !isAlone ? "true" : undefined}>
      <h2 className="flex flex-wrap items-center gap-x-4 gap-y-1 pb-1.5">
        <span className="inline-flex items-center">
          <DifferenceMark standing={pair.standing} className="mr-1" />
          <SideBadge side="a" className="mr-1.5" />
          <PlanName plan={pair.a} turn={numberOf(pair.a, "a", turns)} />
        </span>
        <span className="inline-flex items-center">
          <SideBadge side="b" className="mr-1.5" />
          <PlanName plan={pair.b} turn={numberOf(pair.b, "b", turns)} />
        </span>
        {!isOther(pair) && <span className="text-fg-3">{t("alike", { count: pair.calls.length })}</span>}
        {isDrawn && !isAlone && <span className="ml-auto text-fg-3">{t("drawn")}</span>}
        {!isDrawn && pair.calls.length > 0 && (
          <Button className="ml-auto" onClick={() => onSelect({ path: null })}>
            {t("draw")}
          </Button>
        )}
      </h2>
      {isOther(pair) && calls.every((call) => !isOther(call)) && pair.edges.length === 0 && (
        <p data-difference tabIndex={-1} className="rounded-1 text-fg-2 outline-none focus-visible:shadow-focus">
          {t(pair.calls.length === 0 ? "noCalls" : "rejectedOnly")}
        </p>
      )}
      <ul className="flex flex-col gap-1">
        {shown.map((call) => (
          <PlannedCall
            key={call.id}
            id={callRow(index, call.id)}
            call={call}
            selected={call.id === selected}
            onSelect={() => onSelect({ call: call.id })}
          />
        ))}
      </ul>
      {calls.length > shown.length && (
        <p className="pt-1 text-fg-3">{t("moreCalls", { count: calls.length - shown.length })}</p>
      )}
      {pair.edges.length > 0 && <Edges edges={pair.edges} onSelect={(path) => onSelect({ path })} />}
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

/** A turn that continues in a fork is named by the run that continues it. */
function numberOf(plan: Plan | null, side: "a" | "b", turns: readonly TurnPair[]): number | null {
  return turns.find((turn) => turn[side]?.id === plan?.run_id)?.number ?? null;
}

interface PlannedCallProps {
  id: string;
  call: PlannedPair;
  selected: boolean;
  onSelect: () => void;
}

function PlannedCall({ id: row, call: { id, a, b, standing, changes }, selected, onSelect }: PlannedCallProps) {
  const t = useTranslations("compare.plan");
  const stop = standing === "same" ? {} : { "data-difference": true, tabIndex: -1 };
  return (
    <li
      {...stop}
      id={row}
      onFocus={(event) => event.target === event.currentTarget && onSelect()}
      className={`rounded-2 border px-2 py-1 outline-none focus-visible:shadow-focus ${selected ? "border-accent" : "border-line"} ${standing === "changed" ? "" : LOOK[standing].ground}`}
    >
      <p className="flex items-center gap-2">
        <DifferenceMark standing={standing} />
        <button
          type="button"
          aria-pressed={selected}
          onClick={onSelect}
          className="inline-flex min-h-6 min-w-0 items-center gap-2 rounded-1 text-left hover:underline"
        >
          <span className="min-w-0 truncate font-medium">{toolOf(b ?? a)}</span>
          <span className="min-w-0 truncate font-mono text-11 text-fg-3">{id}</span>
        </button>
        {(standing === "a" || standing === "b") && (
          <span className="flex-none text-fg-2">{t(`alone.${standing}`)}</span>
        )}
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

/** The state paths of edges that only one side has. */
function Edges({ edges, onSelect }: { edges: readonly EdgeChange[]; onSelect: (path: string | null) => void }) {
  const t = useTranslations("compare.plan");
  return (
    <>
      <h3 className="pt-2.5 pb-1 text-11 text-fg-3">{t("edges", { count: edges.length })}</h3>
      <ul className="flex flex-col gap-1">
        {edges.slice(0, MOST_EDGES).map(({ side, edge }) => (
          <li
            key={`${side} ${edge.from} ${edge.to} ${edge.kind}`}
            data-difference
            tabIndex={-1}
            onFocus={() => onSelect(edge.paths[0] ?? null)}
            className={`flex flex-wrap items-center gap-2 rounded-1 px-2 py-0.5 outline-none focus-visible:shadow-focus ${LOOK[side].ground}`}
          >
            <DifferenceMark standing={side} />
            <span className="font-mono text-11 wrap-anywhere">
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
