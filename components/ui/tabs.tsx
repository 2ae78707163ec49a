"use client";

import { type ComponentProps, type KeyboardEvent, type ReactNode, useRef } from "react";

/** The ids that connect a tab and its panel. */
export function tabIds(id: string, value: string): { tab: string; panel: string } {
  return { tab: `${id}-tab-${value}`, panel: `${id}-panel` };
}

interface TabsProps<T extends string> {
  /** The prefix of its ids, the same as the panel's. */
  id: string;
  /** The accessible name. */
  label: string;
  value: T;
  /** `empty` says in words that there is nothing behind a tab, which is dimmed; null for one with content. */
  tabs: readonly { value: T; label: ReactNode; empty?: string | null }[];
  onChange: (value: T) => void;
  className?: string;
  /** Additional classes of a tab. */
  look?: string;
}

/** Tabs by the WAI-ARIA pattern: Tab focuses the selected one, arrow keys, Home and End select another. */
export function Tabs<T extends string>({
  id,
  label,
  value,
  tabs,
  onChange,
  className = "",
  look = "px-2",
}: TabsProps<T>) {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const at = tabs.findIndex((tab) => tab.value === value);
    const next = tabs[placeAfter(event.key, at, tabs.length) ?? -1];
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    onChange(next.value);
    list.current?.querySelector<HTMLElement>(`#${CSS.escape(tabIds(id, next.value).tab)}`)?.focus();
  };
  return (
    <div ref={list} role="tablist" aria-label={label} onKeyDown={onKeyDown} className={`flex ${className}`}>
      {tabs.map((tab) => {
        const ids = tabIds(id, tab.value);
        const isChosen = tab.value === value;
        return (
          <button
            key={tab.value}
            id={ids.tab}
            type="button"
            role="tab"
            aria-selected={isChosen}
            aria-controls={isChosen ? ids.panel : undefined}
            tabIndex={isChosen ? 0 : -1}
            title={tab.empty ?? undefined}
            data-empty={typeof tab.empty === "string" || undefined}
            onClick={() => onChange(tab.value)}
            className={`inline-flex phone:min-w-11 flex-none items-center justify-center gap-1.5 border-transparent border-b-2 whitespace-nowrap ${tab.empty === null ? "text-fg" : tab.empty === undefined ? "text-fg-2" : "text-fg-3"} outline-offset-[-2px] hover:text-fg aria-selected:border-accent aria-selected:font-semibold aria-selected:text-fg ${look}`}
          >
            {tab.label}
          </button>
        );
      })}
    </div>
  );
}

/** The tab to which a key leads, wrapping around; null for other keys. */
export function placeAfter(key: string, at: number, count: number): number | null {
  switch (key) {
    case "ArrowRight":
      return (at + 1) % count;
    case "ArrowLeft":
      return (at - 1 + count) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}

/** The panel of the selected tab. */
export function TabPanel({ id, value, ...rest }: { id: string; value: string } & ComponentProps<"div">) {
  const ids = tabIds(id, value);
  return <div role="tabpanel" {...rest} id={ids.panel} aria-labelledby={ids.tab} />;
}
