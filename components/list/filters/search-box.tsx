"use client";

import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { useShortcuts } from "@/components/keys/use-shortcuts.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";

/** The debounce, ms: longer than between keystrokes; it leaves 110 ms for the server to answer within 200 ms. */
const REST = 90;

/** Searches while typing; `/` focuses it, Escape clears it and leaves. */
export function SearchBox({ value, onSearch }: { value: string; onSearch: (q: string) => void }) {
  const t = useTranslations("list.search");
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [text, setText] = useState(value);
  const [sent, setSent] = useState(value);
  const [seen, setSeen] = useState(value);

  // The address was changed from elsewhere, so the field follows it.
  if (value !== seen) {
    setSeen(value);
    if (value !== sent) setText(value);
  }

  const search = (next: string, rest: number) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setSent(next);
      onSearch(next);
    }, rest);
  };

  useShortcuts({ search: () => input.current?.select() });

  return (
    <label className="flex h-7.5 phone:h-11 w-93 min-w-50 phone:w-auto phone:min-w-0 phone:flex-1 items-center gap-1.75 rounded-2 border border-line-control bg-surface pr-1.5 pl-2 text-fg-3 focus-within:border-accent focus-within:ring-1 focus-within:ring-accent">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        enterKeyHint="search"
        aria-label={t("label")}
        aria-keyshortcuts="/"
        placeholder={t("label")}
        value={text}
        onChange={(event) => search(event.target.value, REST)}
        onKeyDown={(event) => {
          if (event.key === "Enter") search(text, 0);
          if (event.key === "Escape") {
            search("", 0);
            input.current?.blur();
          }
        }}
        className="min-w-0 flex-1 text-fg outline-none focus-visible:shadow-none [&::-webkit-search-cancel-button]:appearance-none"
      />
      {text === "" ? (
        <Kbd>/</Kbd>
      ) : (
        <button
          type="button"
          aria-label={t("clear")}
          onClick={() => search("", 0)}
          className="flex size-6 items-center justify-center rounded-1 hover:bg-hover hover:text-fg"
        >
          <Icon name="close" size={14} />
        </button>
      )}
    </label>
  );
}
