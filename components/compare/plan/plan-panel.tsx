"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useCallback, useMemo } from "react";
import { planDifferences } from "@/lib/session/compare/plans.ts";
import { alignTurns } from "@/lib/session/compare/runs.ts";
import type { View } from "@/lib/session/session.ts";
import { fromView } from "@/lib/session/view.ts";
import { type Comparison, isOther } from "../compare-sessions.ts";
import { Nothing } from "../nothing.tsx";
import { Panel } from "../panel.tsx";
import { usePlace } from "../use-place.ts";
import { callRow, PlanSection } from "./plan-section.tsx";

/** Loaded on demand, because no other tab needs the graph. */
const PlanDrawing = dynamic(() => import("./plan-drawing.tsx").then((room) => room.PlanDrawing), {
  loading: () => null,
});

/** Larger plans are only listed: differences among so many cards cannot be found. */
const MOST_DRAWN = 1_000;

/** The plans of both sides: one pair as a merged graph, and all pairs with different calls and edges. */
export function PlanPanel({ comparison: { plans }, a, b }: { comparison: Comparison; a: View; b: View }) {
  const t = useTranslations("compare.plan");
  const [{ only, plan, call, path }, change] = usePlace();
  const turns = useMemo(() => alignTurns(fromView(a), fromView(b)), [a, b]);
  const firstOther = Math.max(0, plans.findIndex(isOther));
  const drawn = plan !== null && plan < plans.length ? plan : firstOther;
  const pair = plans[drawn];
  const selectInDrawing = useCallback(
    (selected: { call: string } | { path: string } | null) => {
      change({ plan: drawn, call: null, path: null, ...selected });
      if (selected && "call" in selected)
        document.getElementById(callRow(drawn, selected.call))?.scrollIntoView({ block: "nearest" });
    },
    [change, drawn],
  );
  const isDrawn = pair !== undefined && pair.calls.length > 0 && pair.calls.length <= MOST_DRAWN;
  const shown = plans.flatMap((one, index) => (only && !isOther(one) ? [] : [{ one, index }]));
  return (
    <Panel
      count={plans.reduce((sum, one) => sum + planDifferences(one), 0)}
      narrows
      picture={
        isDrawn && (
          <PlanDrawing
            pair={pair}
            identity={`${a.conversation_id} ${b.conversation_id} ${drawn}`}
            a={a}
            b={b}
            selected={{ call, path }}
            onSelect={selectInDrawing}
          />
        )
      }
    >
      {shown.length === 0 && <Nothing words={t(plans.length === 0 ? "none" : "same")} />}
      {pair && pair.calls.length > MOST_DRAWN && (
        <p className="px-3 pt-2.5 text-fg-3">{t("notDrawn", { count: pair.calls.length })}</p>
      )}
      {shown.map(({ one, index }) => (
        <PlanSection
          key={index}
          pair={one}
          index={index}
          turns={turns}
          only={only}
          isDrawn={isDrawn && index === drawn}
          isAlone={plans.length === 1}
          selected={index === drawn ? call : null}
          onSelect={(selected) => change({ plan: index, call: null, path: null, ...selected })}
        />
      ))}
    </Panel>
  );
}
