"use client";

import { useMemo, useState } from "react";
import { printPath } from "@/lib/plan/reference.ts";
import type { Json } from "@/lib/session/json/json.ts";
import { findInValue } from "../find-in-value.ts";

/** The search in the state, and its matches. */
export interface StateFind {
  isOpen: boolean;
  text: string;
  count: number;
  /** The current match, from 1; 0 for none. */
  place: number;
  hits: ReadonlySet<string>;
  /** The row of the current match; null for none. */
  current: string | null;
  /** Rows that have to be expanded for the current match. */
  way: ReadonlySet<string>;
  open(): void;
  close(): void;
  look(text: string): void;
  /** Goes to the next or previous match, and wraps around. */
  go(direction: 1 | -1): void;
}

export function useStateFind(state: Json): StateFind {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("");
  const [wanted, setWanted] = useState(0);
  const found = useMemo(() => (isOpen ? findInValue(state, text) : []), [isOpen, state, text]);
  const hits = useMemo(() => new Set(found.map(({ id }) => id)), [found]);
  // The state can change during a search: the index stays within the matches.
  const index = found.length === 0 ? -1 : ((wanted % found.length) + found.length) % found.length;
  const hit = found[index];
  const way = useMemo(
    () => new Set((hit?.path ?? []).slice(1).map((_, length) => printPath((hit?.path ?? []).slice(0, length + 1)))),
    [hit],
  );
  return {
    isOpen,
    text,
    count: found.length,
    place: index + 1,
    hits,
    current: hit?.id ?? null,
    way,
    open: () => setOpen(true),
    close: () => setOpen(false),
    look(next) {
      setText(next);
      setWanted(0);
    },
    go: (direction) => setWanted(index + direction),
  };
}
