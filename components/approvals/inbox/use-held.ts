"use client";

import { useEffect, useState } from "react";

/** A second press or click within this time, ms, was meant for the item before. */
const HELD_FOR = 500;

/** The item that has just come up by itself, and a way to say so: for a moment it cannot be decided by mistake. */
export function useHeld(): [string | null, (id: string) => void] {
  const [held, setHeld] = useState<string | null>(null);
  // The outside system is the clock.
  useEffect(() => {
    if (held === null) return;
    const timer = setTimeout(() => setHeld(null), HELD_FOR);
    return () => clearTimeout(timer);
  }, [held]);
  return [held, setHeld];
}
