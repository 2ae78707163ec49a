"use client";

import { useTranslations } from "next-intl";
import { type KeyboardEvent, useRef } from "react";
import { TABS, type Tab } from "./place.ts";

interface TabsProps {
  tab: Tab;
  /** How many differences each has, where that is known. */
  counts: Partial<Record<Tab, number>>;
  onChange: (tab: Tab) => void;
}

/** The id of the tab, by which its panel is named. */
export const tabId = (tab: Tab) => `compare-tab-${tab}`;

/** What can be compared, as tabs: arrows go from one to the next. */
export function Tabs({ tab, counts, onChange }: TabsProps) {
  const t = useTranslations("compare.tab");
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const next = TABS.at((TABS.indexOf(tab) + step) % TABS.length);
    if (step === 0 || !next) return;
    event.preventDefault();
    onChange(next);
    list.current?.querySelector<HTMLElement>(`#${tabId(next)}`)?.focus();
  };
  return (
    <div
      ref={list}
      role="tablist"
      aria-label={t("label")}
      onKeyDown={onKeyDown}
      className="flex h-[var(--h-toolbar)] flex-none overflow-x-auto border-line border-b px-1"
    >
      {TABS.map((one) => (
        <button
          key={one}
          id={tabId(one)}
          type="button"
          role="tab"
          aria-selected={one === tab}
          tabIndex={one === tab ? 0 : -1}
          onClick={() => onChange(one)}
          className="inline-flex flex-none items-center gap-1.5 border-transparent border-b-2 px-2 whitespace-nowrap text-fg-2 hover:text-fg aria-selected:border-accent aria-selected:font-semibold aria-selected:text-fg"
        >
          {t(one)}
          {counts[one] !== undefined && <span className="font-normal text-fg-3 tabular-nums">{counts[one]}</span>}
        </button>
      ))}
    </div>
  );
}
