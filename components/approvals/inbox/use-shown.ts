"use client";

import { useEffect, useState } from "react";
import type { ListedConfirmation } from "@/lib/api/shapes.ts";
import type { Place } from "../place.ts";

/** What the inbox shows: the items in their order, and the one that is looked at. */
export interface Shown {
  items: ListedConfirmation[];
  /** Null where there is none, or none of the asked id. */
  item: ListedConfirmation | null;
  /** Its place among the items, from 0; -1 for none. */
  index: number;
}

/**
 * The items to show. One that was decided meanwhile stays for a moment, and as long as it is looked at. Where the
 * address names none, the first that came is looked at, and stays so whatever happens around it.
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

/** The next that is left to decide, seen from one that has been; before it where there is none after it. */
export function nextWaiting(
  items: readonly ListedConfirmation[],
  id: string,
  isLeft: (item: ListedConfirmation) => boolean,
): ListedConfirmation | null {
  const from = items.findIndex((item) => item.id === id);
  const waits = (item: ListedConfirmation) => item.status === "requested" && item.id !== id && isLeft(item);
  return items.slice(from + 1).find(waits) ?? items.slice(0, Math.max(0, from)).findLast(waits) ?? null;
}

/** What was decided stays this long, ms: long enough to be read, and it leaves when no other comes meanwhile. */
const LINGER = 4_000;

const NONE: ReadonlySet<string> = new Set();

/** Of what was decided while the reader looks on, the ids of those that have had their time. The one that is looked at stays. */
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
