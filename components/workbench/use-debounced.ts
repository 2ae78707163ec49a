"use client";

import { useEffect, useState } from "react";

/** A debounced value. */
export function useDebounced<T>(value: T, rest: number): T {
  const [settled, setSettled] = useState(value);
  // The outside system is the clock.
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), rest);
    return () => clearTimeout(timer);
  }, [value, rest]);
  return settled;
}
