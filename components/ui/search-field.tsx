"use client";

import { useRef, useState } from "react";
import { useShortcuts } from "@/components/keys/use-shortcuts.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";

interface SearchFieldProps {
  label: string;
  /** The label of the clear button. */
  clear: string;
  /** The current query. */
  value: string;
  onChange: (text: string) => void;
  /** The debounce, ms; none by default. */
  delay?: number;
  iconSize?: 14 | 16;
  className: string;
}

/** A query that follows typing; `/` focuses the field, Escape clears it and leaves. */
export function SearchField({ label, clear, value, onChange, delay = 0, iconSize = 16, className }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [text, setText] = useState(value);
  const [sent, setSent] = useState(value);
  const [seen, setSeen] = useState(value);

  // The query was changed from elsewhere, so the field follows it.
  if (value !== seen) {
    setSeen(value);
    if (value !== sent) setText(value);
  }

  const search = (next: string, wait = 0) => {
    setText(next);
    clearTimeout(timer.current);
    const send = () => {
      setSent(next);
      onChange(next);
    };
    if (wait > 0) timer.current = setTimeout(send, wait);
    else send();
  };

  useShortcuts({ search: () => input.current?.select() });
  return (
    <label
      className={`flex items-center rounded-2 border border-line-control bg-surface text-fg-3 focus-within:border-accent focus-within:ring-1 focus-within:ring-accent ${className}`}
    >
      <Icon name="search" size={iconSize} />
      <input
        ref={input}
        type="search"
        enterKeyHint="search"
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={label}
        value={text}
        onChange={(event) => search(event.target.value, delay)}
        onKeyDown={(event) => {
          if (event.key === "Enter") search(text);
          if (event.key !== "Escape") return;
          search("");
          event.currentTarget.blur();
        }}
        className="min-w-0 flex-1 text-fg outline-none focus-visible:shadow-none [&::-webkit-search-cancel-button]:appearance-none"
      />
      {text === "" ? (
        <Kbd>/</Kbd>
      ) : (
        <button
          type="button"
          aria-label={clear}
          onClick={() => search("")}
          className="flex size-6 items-center justify-center rounded-1 hover:bg-hover hover:text-fg"
        >
          <Icon name="close" size={14} />
        </button>
      )}
    </label>
  );
}
