"use client";

import { useEffect, useEffectEvent } from "react";
import { isTyping } from "@/components/shell/is-typing.ts";

const MOVES: Record<string, number> = { KeyJ: 1, ArrowDown: 1, KeyK: -1, ArrowUp: -1, Home: -Infinity, End: Infinity };

interface AlertActions {
  /** How far to move, in items; the ends of the list are infinitely far. */
  move: (by: number) => void;
  studio: () => void;
  takeOver: () => void;
}

const ACTIONS: Record<string, Exclude<keyof AlertActions, "move">> = { KeyO: "studio", KeyT: "takeOver" };

/** The keys of the list of alerts, from anywhere on the page but where somebody types. Letters by their place on an English keyboard. */
export function useAlertKeys(actions: AlertActions): void {
  const act = useEffectEvent((event: KeyboardEvent) => {
    const by = MOVES[event.code];
    const action = ACTIONS[event.code];
    if (by === undefined && (action === undefined || event.repeat)) return;
    event.preventDefault();
    if (by !== undefined) actions.move(by);
    else if (action !== undefined) actions[action]();
  });
  // The outside system is the keyboard.
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isTyping(event)) act(event);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
}
