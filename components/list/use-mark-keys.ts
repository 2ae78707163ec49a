"use client";

import { useEffect, useEffectEvent } from "react";
import { isTaken } from "./is-taken.ts";

interface MarkActions {
  mark: () => void;
  compare: () => void;
  clear: () => void;
}

const KEYS: Record<string, keyof MarkActions> = { KeyX: "mark", KeyC: "compare", Escape: "clear" };

/** `X` marks the row that the keyboard is at, `C` compares what is marked, Escape unmarks it. Letters by their place on an English keyboard. */
export function useMarkKeys(actions: MarkActions): void {
  const act = useEffectEvent((name: keyof MarkActions) => actions[name]());
  // The outside system is the keyboard.
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const name = KEYS[event.code];
      if (name === undefined || event.repeat || isTaken(event)) return;
      act(name);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
}
