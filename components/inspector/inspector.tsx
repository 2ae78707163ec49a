"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { type KeyboardEvent, useId, useRef } from "react";
import { useDirectedRun } from "@/components/stages/use-directed-run.ts";
import { INSPECTOR_TABS, type InspectorTab, useSelection } from "@/components/studio/use-selection.ts";
import { CallTab } from "./call-tab.tsx";
import { EventTab } from "./event-tab.tsx";
import { StateTab } from "./state-tab.tsx";

/** Few look at these, the memory's rules bring Zod and the prompt a line diff: they are loaded when they are looked at. */
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

const PANELS: Record<InspectorTab, React.ComponentType> = {
  state: StateTab,
  call: CallTab,
  prompt: PromptTab,
  memory: MemoryTab,
  trace: TraceTab,
  event: EventTab,
};

/** What is behind the things on the screen: the state, a call, the event (C6). Its tab is in the address. */
export function Inspector() {
  const t = useTranslations("inspector");
  const [{ tab }, select] = useSelection();
  const id = useId();
  const tabs = useRef<HTMLDivElement>(null);
  const staged = useDirectedRun() !== null;
  // Beside the stages the state is the conversation's.
  const Panel = staged && tab === "state" ? StageTab : PANELS[tab];

  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const next = INSPECTOR_TABS.at((INSPECTOR_TABS.indexOf(tab) + step) % INSPECTOR_TABS.length) ?? tab;
    select({ tab: next });
    tabs.current?.querySelector<HTMLElement>(`[data-tab=${next}]`)?.focus();
  };

  return (
    <section aria-label={t("title")} className="@container flex h-full min-h-0 flex-col bg-surface">
      <div className="h-[var(--h-toolbar)] flex-none overflow-x-auto overflow-y-hidden border-line border-b px-1.5 [scrollbar-width:none] @max-[350px]:px-0.5">
        {/* As wide as a row of tabs looks well, wider where a language needs it. */}
        <div
          ref={tabs}
          role="tablist"
          aria-label={t("title")}
          onKeyDown={onKeyDown}
          className="flex h-full w-80 min-w-max justify-between @max-[350px]:w-full @max-[350px]:text-11"
        >
          {INSPECTOR_TABS.map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`${id}${name}`}
              data-tab={name}
              aria-selected={name === tab}
              aria-controls={`${id}panel`}
              tabIndex={name === tab ? 0 : -1}
              onClick={() => select({ tab: name })}
              className="-mb-px border-transparent border-b-2 px-1 whitespace-nowrap text-fg-2 hover:text-fg aria-selected:border-accent aria-selected:font-semibold aria-selected:text-fg"
            >
              {t(`tabs.${name}`)}
            </button>
          ))}
        </div>
      </div>
      <div role="tabpanel" id={`${id}panel`} aria-labelledby={`${id}${tab}`} data-found className="min-h-0 flex-1">
        <Panel />
      </div>
    </section>
  );
}

function Loading() {
  const t = useTranslations("inspector");
  return <p className="p-3 text-fg-3">{t("loading")}</p>;
}
