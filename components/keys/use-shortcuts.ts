"use client";

import { useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";
import { chordOf, type DecidingName, meaningOf, type ShortcutName, shortcutOf } from "./shortcuts.ts";

/** The action of a key; returning `false` passes the key on. */
// biome-ignore lint/suspicious/noConfusingVoidType: most do something and say nothing
type Act = (event: KeyboardEvent) => void | false;

/** An action that decides something, with the id of what it decides. */
interface Decides {
  about: string | null;
  act: Act;
}

/** The actions of a page by shortcut. */
export type Actions = { [Name in ShortcutName]?: Name extends DecidingName ? Decides : Act };

/**
 * For this time, ms, something that was selected automatically cannot be decided: the key was meant for the previous
 * one.
 */
const UNREAD = 500;

/** A change within this time, ms, after the reader's navigation is its result. */
const OWN_MOVE = 1_000;

/** When the reader last navigated by key or pointer, while the result is pending. */
let moved = Number.NEGATIVE_INFINITY;

type Taker = (name: ShortcutName, event: KeyboardEvent) => boolean;

/** The listeners; the newest is called first. */
const takers: Taker[] = [];

/**
 * The keyboard shortcuts of a page. They are inactive while typing, while a dialog or menu is open or loading, and for
 * repeated keys other than moves; shortcuts that decide are inactive on something that was just selected automatically.
 */
export function useShortcuts(actions: Actions): void {
  const about = JSON.stringify(Object.values(actions).map((one) => (typeof one === "object" ? one.about : "")));
  const shown = useRef({ about, since: Number.NEGATIVE_INFINITY });
  useLayoutEffect(() => {
    if (shown.current.about === about) return;
    const now = performance.now();
    shown.current = { about, since: now - moved < OWN_MOVE ? Number.NEGATIVE_INFINITY : now };
    moved = Number.NEGATIVE_INFINITY;
  }, [about]);
  const take = useEffectEvent<Taker>((name, event) => {
    const action = actions[name];
    if (action === undefined) return false;
    if (typeof action === "function") return action(event) !== false;
    if (performance.now() - shown.current.since < UNREAD) return true;
    return action.act(event) !== false;
  });
  const isAny = Object.keys(actions).length > 0;
  // The outside system is the keyboard.
  useEffect(() => {
    if (!isAny) return;
    const taker: Taker = (name, event) => take(name, event);
    if (takers.length === 0) {
      addEventListener("keydown", onKeyDown);
      addEventListener("pointerdown", onPointerDown);
    }
    takers.push(taker);
    return () => {
      takers.splice(takers.indexOf(taker), 1);
      if (takers.length > 0) return;
      removeEventListener("keydown", onKeyDown);
      removeEventListener("pointerdown", onPointerDown);
    };
  }, [isAny]);
}

/** Shortcuts that move within a list by a number of items; Infinity for its ends. */
export function listMoves(move: (by: number) => void) {
  return {
    next: () => move(1),
    previous: () => move(-1),
    down: () => move(1),
    up: () => move(-1),
    pageDown: () => move(10),
    pageUp: () => move(-10),
    first: () => move(Number.NEGATIVE_INFINITY),
    last: () => move(Number.POSITIVE_INFINITY),
  } satisfies Actions;
}

function onKeyDown(event: KeyboardEvent): void {
  const name = meaningOf(chordOf(event));
  if (name === undefined || event.defaultPrevented || event.isComposing) return;
  if (event.repeat && !shortcutOf(name).repeats) return;
  if (isOthers(event) || isCovered()) return;
  if (!shortcutOf(name).decides) moved = performance.now();
  if (takers.findLast((take) => take(name, event)) !== undefined) event.preventDefault();
}

/** A button decides, so what is selected after it is selected automatically. */
function onPointerDown({ target }: PointerEvent): void {
  if (target instanceof Element && !target.closest("button")) moved = performance.now();
}

/** Elements for text input or choices. Checkboxes and radio buttons take no letters. */
const FIELDS = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true]";
/** Elements with their own keyboard navigation. */
const WIDGETS = "[role=menu], [role=tablist], [role=tree], [role=listbox], [role=grid], [role=separator], [type=radio]";
const PRESSED = "button, a, summary, input";

/** Whether the focused element handles the key. */
function isOthers({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest(FIELDS)) return true;
  if (key === " " && target.closest(PRESSED)) return true;
  return key.length > 1 && key !== "Escape" && target.closest(WIDGETS) !== null;
}

/** Whether a dialog or a popover is open. Tooltips do not count. */
function isCovered(): boolean {
  return document.querySelector("dialog[open], [popover=auto]:popover-open, [popover='']:popover-open") !== null;
}
