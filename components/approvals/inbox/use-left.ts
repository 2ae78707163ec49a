"use client";

import { useEffect, useState } from "react";

/** What was decided stays this long, ms: long enough to be read, and it leaves when no other comes meanwhile. */
const LINGER = 4_000;

const NONE: ReadonlySet<string> = new Set();

/** Of what was decided while the reader looks on, the ids of those that have had their time. The one that is looked at stays. */
export function useLeft(decided: readonly string[], shown: string | null): ReadonlySet<string> {
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
