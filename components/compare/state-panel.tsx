"use client";

import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { Button } from "@/components/ui/button.tsx";
import { runNumber } from "@/lib/session/compare/runs.ts";
import type { Compared } from "@/lib/session/compare/sides.ts";
import { compareMemories, compareStates, type StateComparison } from "@/lib/session/compare/states.ts";
import type { Run, View } from "@/lib/session/session.ts";
import { fromView } from "@/lib/session/view.ts";
import { Changes } from "./changes.tsx";
import { Nothing } from "./nothing.tsx";
import { Panel } from "./panel.tsx";
import { StepLink } from "./steps/step-link.tsx";
import { usePlace } from "./use-place.ts";
import { useView } from "./use-view.ts";
import { Waiting } from "./waiting.tsx";

/** The differences in state and memory, at both ends or at two aligned steps. */
export function StatePanel({ a, b }: { a: View; b: View }) {
  const [{ steps }] = usePlace();
  const [viewA, viewB] = [useView(steps && a.conversation_id, steps?.a), useView(steps && b.conversation_id, steps?.b)];
  if (!steps) return <States a={a} b={b} />;
  if (viewA.data && viewB.data) return <States a={viewA.data} b={viewB.data} />;
  return (
    <Waiting
      error={viewA.error ?? viewB.error}
      onRetry={() => {
        void viewA.refetch();
        void viewB.refetch();
      }}
    />
  );
}

function States({ a, b }: { a: View; b: View }) {
  const t = useTranslations("compare.state");
  const [state, memory] = useMemo(() => {
    const [one, two] = [fromView(a), fromView(b)];
    return [compareStates(one, two), compareMemories(one, two)];
  }, [a, b]);
  return (
    <Panel count={state.changes.length + memory.length} bar={<Where a={a} b={b} />}>
      {state.changes.length + memory.length === 0 && <Nothing words={t("same", { count: state.same })} />}
      {state.changes.length > 0 && (
        <section className="px-3 py-2.5">
          <h2 className="flex items-baseline gap-2 pb-1.5 font-semibold">
            <Whose a={fromView(a)} b={fromView(b)} state={state} />
            <span className="font-normal text-fg-3">{t("alike", { count: state.same })}</span>
          </h2>
          <Changes changes={state.changes} label={t("state")} stops />
        </section>
      )}
      {memory.length > 0 && (
        <section className="px-3 py-2.5">
          <h2 className="pb-1.5 font-semibold">{t("memory")}</h2>
          <Changes changes={memory} label={t("memory")} stops />
        </section>
      )}
    </Panel>
  );
}

/** The runs of the compared states. */
function Whose({ a, b, state }: { a: Compared; b: Compared; state: StateComparison }) {
  const t = useTranslations("compare.state");
  const of = (session: Compared, run: Run | null) => (run ? runNumber(session, run) : 0);
  const runs = { a: of(a, state.a), b: of(b, state.b) };
  if (runs.a === 0 || runs.b === 0 || runs.a === runs.b) return t("ofRun", { number: Math.max(runs.a, runs.b) });
  return t("ofRuns", runs);
}

/** The steps of the compared states, with a link back to the ends. */
function Where({ a, b }: { a: View; b: View }) {
  const t = useTranslations("compare.state");
  const [{ steps }, change] = usePlace();
  if (!steps) return <span className="text-fg-2">{t("ends")}</span>;
  return (
    <span className="flex flex-wrap items-center gap-2 text-fg-2">
      {t.rich("at", {
        a: () => <StepLink id={a.conversation_id} seq={steps.a} />,
        b: () => <StepLink id={b.conversation_id} seq={steps.b} />,
      })}
      <Button onClick={() => change({ steps: null })}>{t("toEnds")}</Button>
    </span>
  );
}
