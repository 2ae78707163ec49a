"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { type KeyboardEvent, useId, useRef } from "react";
import { INSPECTOR_TABS, type InspectorTab, useSelection } from "@/components/studio/use-selection.ts";
import { CallTab } from "./call-tab.tsx";
import { EventTab } from "./event-tab.tsx";
import { StateTab } from "./state-tab.tsx";

/** Few look at these, and the memory's rules bring Zod: they are loaded when they are looked at. */
const MemoryTab = dynamic(() => import("@/components/memory/memory-tab.tsx").then((room) => room.MemoryTab), {
  loading: Loading,
});
const TraceTab = dynamic(() => import("@/components/trace/trace-tab.tsx").then((room) => room.TraceTab), {
  loading: Loading,
});

const PANELS: Record<InspectorTab, React.ComponentType> = {
  state: StateTab,
  call: CallTab,
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
  const Panel = PANELS[tab];

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
    <section aria-label={t("title")} className="flex h-full min-h-0 flex-col bg-surface">
      <div
        ref={tabs}
        role="tablist"
        aria-label={t("title")}
        onKeyDown={onKeyDown}
        className="flex h-[var(--h-toolbar)] flex-none border-line border-b px-1.5"
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
            className="-mb-px border-transparent border-b-2 px-2 whitespace-nowrap text-fg-2 hover:text-fg aria-selected:border-accent aria-selected:font-semibold aria-selected:text-fg"
          >
            {t(`tabs.${name}`)}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}panel`} aria-labelledby={`${id}${tab}`} className="min-h-0 flex-1">
        <Panel />
      </div>
    </section>
  );
}

function Loading() {
  const t = useTranslations("inspector");
  return <p className="p-3 text-fg-3">{t("loading")}</p>;
}
