"use client";

import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { ApiProblem } from "@/components/client/api.ts";
import { ShortcutFooter } from "@/components/keys/shortcut-footer.tsx";
import { OfflineBanner } from "@/components/list/offline-banner.tsx";
import { Button } from "@/components/ui/button.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { TabPanel, Tabs } from "@/components/ui/tabs.tsx";
import type { View } from "@/lib/session/session.ts";
import { fromView } from "@/lib/session/view.ts";
import { CallsPanel } from "./calls-panel.tsx";
import { Choices } from "./choices.tsx";
import { type Comparison, compareSessions } from "./compare-sessions.ts";
import { MessagesPanel } from "./messages-panel.tsx";
import { OverviewPanel } from "./overview-panel.tsx";
import { ArrivalContext } from "./panel.tsx";
import { TABS, type Tab } from "./place.ts";
import { PlanPanel } from "./plan/plan-panel.tsx";
import { SideHead } from "./side-head.tsx";
import { StatePanel } from "./state-panel.tsx";
import { StepsPanel } from "./steps/steps-panel.tsx";
import { usePlace } from "./use-place.ts";
import { useView } from "./use-view.ts";
import { Waiting } from "./waiting.tsx";

/** The comparison of two conversations (C10). */
export function Compare() {
  const t = useTranslations("compare");
  const [{ a, b, tab }, change] = usePlace();
  const [arrival] = useState<{ by: 1 | -1 | null }>(() => ({ by: null }));
  const [ofA, ofB] = [useView(a), useView(b)];
  const [viewA, viewB] = [ofA.data, ofB.data];
  const comparison = useMemo(
    () => (viewA && viewB ? compareSessions(fromView(viewA), fromView(viewB)) : null),
    [viewA, viewB],
  );
  const unknown = (["a", "b"] as const).find((side) => isUnknown((side === "a" ? ofA : ofB).error));

  const content = () => {
    if (unknown)
      return (
        <EmptyState icon="search" title={t("unknown.title")}>
          {t(`unknown.${unknown}`)}
        </EmptyState>
      );
    if (a === null || b === null) return <Choices place={{ a, b }} onChange={change} />;
    if (!comparison || !viewA || !viewB)
      return (
        <Waiting
          error={ofA.error ?? ofB.error}
          onRetry={() => {
            void ofA.refetch();
            void ofB.refetch();
          }}
        />
      );
    return <Shown tab={tab} comparison={comparison} a={viewA} b={viewB} />;
  };
  return (
    <>
      <main
        id="main"
        tabIndex={-1}
        className="grid min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_auto_auto_minmax(0,1fr)] outline-none"
      >
        <h1 className="sr-only">{t("title")}</h1>
        <OfflineBanner />
        <div className="relative row-start-2 grid grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] items-center border-line border-b max-md:grid-cols-[minmax(0,1fr)_auto]">
          <SideHead side="a" id={a} view={viewA} onChoose={(id) => change({ a: id })} />
          <Button
            variant="ghost"
            square
            aria-label={t("swap")}
            title={t("swap")}
            className="max-md:col-start-2 max-md:row-span-2 max-md:row-start-1"
            disabled={a === null && b === null}
            onClick={() => change({ a: b, b: a })}
          >
            <Icon name="compare" />
          </Button>
          <SideHead side="b" id={b} view={viewB} onChoose={(id) => change({ b: id })} />
        </div>
        <div className="row-start-3">
          {comparison && (
            <CompareTabs tab={tab} counts={comparison.counts} onChange={(next) => change({ tab: next })} />
          )}
        </div>
        {comparison ? (
          <TabPanel id={COMPARE_TABS} value={tab} className="row-start-4 min-h-0">
            <ArrivalContext value={arrival}>{content()}</ArrivalContext>
          </TabPanel>
        ) : (
          <div className="row-start-4 min-h-0">{content()}</div>
        )}
      </main>
      <ShortcutFooter page="compare" />
    </>
  );
}

function isUnknown(error: Error | null): boolean {
  return error instanceof ApiProblem && error.status === 404;
}

function Shown({ tab, ...sides }: { tab: Tab; comparison: Comparison; a: View; b: View }) {
  switch (tab) {
    case "overview":
      return <OverviewPanel {...sides} />;
    case "messages":
      return <MessagesPanel {...sides} />;
    case "plan":
      return <PlanPanel {...sides} />;
    case "calls":
      return <CallsPanel {...sides} />;
    case "state":
      return <StatePanel a={sides.a} b={sides.b} />;
    case "steps":
      return <StepsPanel a={sides.a} b={sides.b} />;
    default:
      return tab satisfies never;
  }
}

/** The prefix of the ids of tabs and their panel. */
const COMPARE_TABS = "compare";

interface CompareTabsProps {
  tab: Tab;
  /** The number of differences per tab, where known. */
  counts: Partial<Record<Tab, number>>;
  onChange: (tab: Tab) => void;
}

/** The parts of the comparison as tabs. */
function CompareTabs({ tab, counts, onChange }: CompareTabsProps) {
  const t = useTranslations("compare.tab");
  return (
    <Tabs
      id={COMPARE_TABS}
      label={t("label")}
      value={tab}
      tabs={TABS.map((value) => ({
        value,
        label: (
          <>
            {t(value)}
            {counts[value] !== undefined && <span className="font-normal text-fg-3 tabular-nums">{counts[value]}</span>}
          </>
        ),
      }))}
      onChange={onChange}
      className="h-[var(--h-toolbar)] flex-none fade-x overflow-x-auto border-line border-b px-1"
    />
  );
}
