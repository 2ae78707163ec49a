"use client";

import { useEffect } from "react";
import { isTaken } from "./is-taken.ts";

/** How far a key moves, in rows; the ends of the list are infinitely far. */
const MOVES: Record<string, number> = {
  j: 1,
  ArrowDown: 1,
  k: -1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** Keys that move within the list from anywhere on the page. Letters by their place on an English keyboard. */
export function useRowKeys(move: (by: number) => void): void {
  // The outside system is the keyboard.
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const letter = event.code.startsWith("Key") ? event.code.slice(3).toLowerCase() : event.key;
      const by = MOVES[letter];
      if (by === undefined || isTaken(event)) return;
      event.preventDefault();
      move(by);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [move]);
}
