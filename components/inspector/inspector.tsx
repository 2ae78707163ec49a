"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useEffect, useId, useRef } from "react";
import { INSPECTOR_TABS, type InspectorTab, useSelection } from "@/components/selection/use-selection.ts";
import { useDirectedRun } from "@/components/stages/use-directed-run.ts";
import { TabPanel, Tabs } from "@/components/ui/tabs.tsx";
import { CallTab } from "./call/call-tab.tsx";
import { EventTab } from "./event-tab.tsx";
import { StateTab } from "./state/state-tab.tsx";
import { useEmptyTabs } from "./use-empty-tabs.ts";
import { useShownTab } from "./use-shown-tab.ts";

/** Rarely opened tabs are loaded on demand: memory includes Zod, prompts a line diff. */
const PromptTab = dynamic(() => import("@/components/prompt/prompt-tab.tsx").then((room) => room.PromptTab), {
  loading: Loading,
});
const MemoryTab = dynamic(() => import("@/components/memory/memory-tab.tsx").then((room) => room.MemoryTab), {
  loading: Loading,
});
const TraceTab = dynamic(() => import("@/components/trace/trace-tab.tsx").then((room) => room.TraceTab), {
  loading: Loading,
});

const StageTab = dynamic(() => import("@/components/stages/stage-tab.tsx").then((room) => room.StageTab), {
  loading: Loading,
});

const ReviewTab = dynamic(() => import("@/components/review/review-tab.tsx").then((room) => room.ReviewTab), {
  loading: Loading,
});

const PANELS: Record<InspectorTab, React.ComponentType> = {
  state: StateTab,
  call: CallTab,
  prompt: PromptTab,
  memory: MemoryTab,
  trace: TraceTab,
  event: EventTab,
  review: ReviewTab,
};

/** The inspector: state, call, event and other tabs (C6). The tab is in the address. */
export function Inspector() {
  const t = useTranslations("inspector");
  const [, select] = useSelection();
  const tab = useShownTab();
  const empty = useEmptyTabs();
  const id = useId();
  const bar = useRef<HTMLDivElement>(null);
  // The outside system is the scroll position: in some languages the tabs are wider than a narrow inspector.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it depends on the tab only
  useEffect(() => {
    bar.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [tab]);
  const staged = useDirectedRun() !== null;
  // For stages, the state is the conversation's.
  const Panel = staged && tab === "state" ? StageTab : PANELS[tab];

  return (
    <section aria-label={t("title")} className="@container flex h-full min-h-0 flex-col bg-surface">
      <div
        ref={bar}
        className="h-[var(--h-toolbar)] flex-none overflow-x-auto overflow-y-hidden border-line border-b px-1.5 [scrollbar-width:none] @max-[350px]:px-0.5"
      >
        {/* The width of the tabs, wider in languages that need it. */}
        <Tabs
          id={id}
          label={t("title")}
          value={tab}
          tabs={INSPECTOR_TABS.map((value) => ({
            value,
            label: t(`tabs.${value}`),
            empty: empty.has(value) ? t("emptyTab") : null,
          }))}
          onChange={(value) => select({ tab: value })}
          className="h-full w-80 min-w-max justify-between @max-[350px]:w-full @max-[350px]:text-11 @max-[370px]:in-[:lang(ru)]:text-11"
          look="-mb-px px-1 @max-[370px]:in-[:lang(ru)]:px-0.75"
        />
      </div>
      <TabPanel id={id} value={tab} data-found className="min-h-0 flex-1">
        <Panel />
      </TabPanel>
    </section>
  );
}

function Loading() {
  const t = useTranslations("inspector");
  return <p className="p-3 text-fg-3">{t("loading")}</p>;
}
