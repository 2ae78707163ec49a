"use client";

import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { useShortcuts } from "@/components/keys/use-shortcuts.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";

interface FilterBoxProps {
  /** The current filter. */
  value: string;
  onChange: (text: string) => void;
}

/** Filters the list while typing; `/` focuses it, Escape clears it and leaves. */
export function FilterBox({ value, onChange }: FilterBoxProps) {
  const t = useTranslations("agents.list");
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const [sent, setSent] = useState(value);
  const [seen, setSeen] = useState(value);

  // The address follows the field; a change of the address from elsewhere sets the field.
  if (value !== seen) {
    setSeen(value);
    if (value !== sent) setText(value);
  }
  const write = (next: string) => {
    setText(next);
    setSent(next);
    onChange(next);
  };

  useShortcuts({ search: () => input.current?.select() });
  return (
    <label className="flex h-[var(--control)] min-w-0 flex-1 items-center gap-1.5 rounded-2 border border-line-control bg-surface pr-1 pl-1.75 text-fg-3 focus-within:border-accent focus-within:ring-1 focus-within:ring-accent">
      <Icon name="search" size={14} />
      <input
        ref={input}
        type="search"
        aria-label={t("filter")}
        aria-keyshortcuts="/"
        placeholder={t("filter")}
        value={text}
        onChange={(event) => write(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          write("");
          event.currentTarget.blur();
        }}
        className="min-w-0 flex-1 text-fg outline-none focus-visible:shadow-none [&::-webkit-search-cancel-button]:appearance-none"
      />
      {text === "" ? (
        <Kbd>/</Kbd>
      ) : (
        <button
          type="button"
          aria-label={t("clear")}
          onClick={() => write("")}
          className="flex size-5.5 items-center justify-center rounded-1 hover:bg-hover hover:text-fg"
        >
          <Icon name="close" size={14} />
        </button>
      )}
    </label>
  );
}
