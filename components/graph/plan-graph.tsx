"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { useResolvedSelection } from "@/components/selection/use-resolved-selection.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { isOfUnreadSpans } from "@/lib/session/summary/unread-spans.ts";
import { PlanLoading } from "./plan-loading.tsx";
import { whyNoCalls } from "./why-no-calls.ts";

const loadPlan = () => import("./plan-of-run.tsx").then((room) => room.PlanOfRun);
const PlanOfRun = dynamic(loadPlan, { loading: PlanLoading });

/** The studio's plan graph at the current step (C4). */
export function PlanGraph() {
  const t = useTranslations("graph");
  const session = useStudio((state) => state.session);
  const { plan, run, instance } = useResolvedSelection();

  // What draws a plan, and lays it out outside of React, loads before there is one.
  const isAwaited = plan === null;
  useEffect(() => {
    if (!isAwaited) return;
    void loadPlan();
    void import("./layout/elk-worker.ts").then(({ startWorker }) => startWorker());
  }, [isAwaited]);

  if (plan) return <PlanOfRun plan={plan} instance={instance} />;
  const why = isOfUnreadSpans(session) ? "unread" : whyNoCalls(run);
  return (
    <>
      <div className="pg-toolbar">
        <h2>{t("title")}</h2>
      </div>
      <div className="pg-empty">
        <EmptyState
          icon="delegate"
          title={t(why === "unread" ? "empty.unread" : why ? "empty.noCalls" : "empty.noPlan")}
        >
          {t(why ? `empty.why.${why}` : "empty.noPlanWhy")}
        </EmptyState>
      </div>
    </>
  );
}
