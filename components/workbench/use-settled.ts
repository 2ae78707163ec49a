"use client";

import { useEffect, useState } from "react";

/** A value once it has rested for so long, ms; until then the one before. */
export function useSettled<T>(value: T, rest: number): T {
  const [settled, setSettled] = useState(value);
  // The outside system is the clock.
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), rest);
    return () => clearTimeout(timer);
  }, [value, rest]);
  return settled;
}
