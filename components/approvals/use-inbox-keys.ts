"use client";

import { useEffect, useEffectEvent } from "react";
import { isTyping } from "@/components/shell/is-typing.ts";

/** What a key of the inbox does. */
export interface InboxActions {
  /** How far to move, in items; the ends of the list are infinitely far. */
  move: (by: number) => void;
  mark: () => void;
  approve: () => void;
  edit: () => void;
  deny: () => void;
  record: () => void;
  open: () => void;
  studio: () => void;
  back: () => void;
}

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

const KEYS: Record<string, Exclude<keyof InboxActions, "move">> = {
  x: "mark",
  a: "approve",
  e: "edit",
  d: "deny",
  r: "record",
  o: "studio",
  Enter: "open",
  Escape: "back",
};

/** The keys of the inbox, from anywhere on the page but where somebody types. Letters by their place on an English keyboard. */
export function useInboxKeys(actions: InboxActions): void {
  const act = useEffectEvent((event: KeyboardEvent) => {
    const key = event.code.startsWith("Key") ? event.code.slice(3).toLowerCase() : event.key;
    const by = MOVES[key];
    const action = KEYS[key];
    if (by === undefined && action === undefined) return;
    // Enter is the focused control's own.
    if (action === "open" && !isItem(event.target)) return;
    event.preventDefault();
    if (by !== undefined) actions.move(by);
    // A key that is held moves on; it does not go on deciding.
    else if (action !== undefined && !event.repeat) actions[action]();
  });
  // The outside system is the keyboard.
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isTaken(event)) act(event);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
}

function isItem(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("[data-item]") !== null;
}

/** Whether the key is somebody else's. A checkbox takes no letters. */
function isTaken(event: KeyboardEvent): boolean {
  const { target, ctrlKey, metaKey, altKey, defaultPrevented } = event;
  const isCheckbox = target instanceof HTMLInputElement && target.type === "checkbox" && !target.closest("dialog");
  return isCheckbox ? ctrlKey || metaKey || altKey || defaultPrevented : isTyping(event);
}
