"use client";

import { useTranslations } from "next-intl";
import { type KeyboardEvent, useRef } from "react";
import type { View } from "./selection.ts";

interface ViewTabsProps {
  views: readonly View[];
  view: View;
  onChange: (view: View) => void;
}

/** The ways to look at a value, as tabs: arrows go from one to the next. */
export function ViewTabs({ views, view, onChange }: ViewTabsProps) {
  const t = useTranslations("agents.view");
  const tabs = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const next = views.at((views.indexOf(view) + step) % views.length);
    if (!next) return;
    onChange(next);
    tabs.current?.querySelector<HTMLElement>(`[data-view=${next}]`)?.focus();
  };
  return (
    <div
      ref={tabs}
      role="tablist"
      aria-label={t("label")}
      onKeyDown={onKeyDown}
      className="flex h-[var(--h-toolbar)] flex-none border-line border-b px-2"
    >
      {views.map((one) => (
        <button
          key={one}
          type="button"
          role="tab"
          data-view={one}
          aria-selected={one === view}
          tabIndex={one === view ? 0 : -1}
          onClick={() => onChange(one)}
          className="-mb-px border-transparent border-b-2 px-2 whitespace-nowrap text-fg-2 hover:text-fg aria-selected:border-accent aria-selected:font-semibold aria-selected:text-fg"
        >
          {t(one)}
        </button>
      ))}
    </div>
  );
}
