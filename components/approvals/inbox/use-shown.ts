"use client";

import { useEffect, useState } from "react";
import type { ListedConfirmation } from "@/lib/api/shapes.ts";
import type { Place } from "../place.ts";

/** The shown approvals in order, and the selected one. */
export interface Shown {
  items: ListedConfirmation[];
  /** Null for none, or when the id in the address is not listed. */
  item: ListedConfirmation | null;
  /** Its index; -1 for none. */
  index: number;
}

/**
 * The approvals to show. One that was just decided stays for a moment, and while it is selected. Without a selection in
 * the address the first one is selected, and stays selected when the list changes.
 */
export function useShown(loaded: readonly ListedConfirmation[], { status, selected }: Place): Shown {
  const [pinned, setPinned] = useState<{ status: Place["status"]; id: string } | null>(null);
  const wanted = selected ?? (pinned?.status === status ? pinned.id : null);
  const decided = loaded.filter((item) => item.status !== status).map(({ id }) => id);
  const left = useLeft(decided, wanted);
  const items = loaded.filter(({ id }) => id === wanted || !left.has(id));
  const found = items.findIndex(({ id }) => id === wanted);
  const index = found < 0 && selected === null ? Math.min(0, items.length - 1) : found;
  const item = items[index] ?? null;
  if (item && (pinned?.id !== item.id || pinned.status !== status)) setPinned({ status, id: item.id });
  return { items, item, index };
}

/** The next pending approval after a decided one; the previous one if it was the last. */
export function nextWaiting(
  items: readonly ListedConfirmation[],
  id: string,
  isLeft: (item: ListedConfirmation) => boolean,
): ListedConfirmation | null {
  const from = items.findIndex((item) => item.id === id);
  const waits = (item: ListedConfirmation) => item.status === "requested" && item.id !== id && isLeft(item);
  return items.slice(from + 1).find(waits) ?? items.slice(0, Math.max(0, from)).findLast(waits) ?? null;
}

/** How long a decided approval stays in the list, ms. */
const LINGER = 4_000;

const NONE: ReadonlySet<string> = new Set();

/** The ids of decided approvals whose time has passed, except the selected one. */
function useLeft(decided: readonly string[], shown: string | null): ReadonlySet<string> {
  const [left, setLeft] = useState(NONE);
  const leaving = JSON.stringify(decided.filter((id) => id !== shown && !left.has(id)));
  // The outside system is the clock.
  useEffect(() => {
    const ids: string[] = JSON.parse(leaving);
    if (ids.length === 0) return;
    const timer = setTimeout(() => setLeft((before) => new Set([...before, ...ids])), LINGER);
    return () => clearTimeout(timer);
  }, [leaving]);
  return left;
}
