"use client";

import { useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";
import { chordOf, type DecidingName, meaningOf, type ShortcutName, shortcutOf } from "./shortcuts.ts";

/** What a key does; `false` leaves it to whoever else wants it. */
// biome-ignore lint/suspicious/noConfusingVoidType: most do something and say nothing
type Act = (event: KeyboardEvent) => void | false;

/** What a key does that decides something, and what it would decide about, by its id. */
interface Decides {
  about: string | null;
  act: Act;
}

/** What the keys of a page do, by what they mean. */
export type Actions = { [Name in ShortcutName]?: Name extends DecidingName ? Decides : Act };

/** Nobody has read in this time, ms, what has come up by itself: a key was meant for what stood there before. */
const UNREAD = 500;

/** What changes in this time, ms, after the reader has moved is what they have moved to. */
const OWN_MOVE = 1_000;

/** When the reader last moved, by a key or the pointer, and has not arrived yet. */
let moved = Number.NEGATIVE_INFINITY;

type Taker = (name: ShortcutName, event: KeyboardEvent) => boolean;

/** Those who listen, the newest last: it is asked first. */
const takers: Taker[] = [];

/**
 * The keys of a page, from anywhere on it. None acts while somebody types, while a dialog or menu is open or on its way,
 * or, unless moving, while it is held; one that decides does not act on what has come up by itself a moment ago.
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
  // The outside system is the keyboard, page-wide.
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

/** The keys that move within a list, by so many items; the ends of the list are infinitely far. */
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

/** A button decides rather than moves: what comes up after it has come up by itself. */
function onPointerDown({ target }: PointerEvent): void {
  if (target instanceof Element && !target.closest("button")) moved = performance.now();
}

/** Where something is typed or chosen. A checkbox takes no letters. */
const FIELDS = "input:not([type=checkbox]), textarea, select, [contenteditable=true]";
/** What moves by keys itself. */
const WIDGETS = "[role=menu], [role=tablist], [role=tree], [role=listbox], [role=grid], [role=separator]";
const PRESSED = "button, a, summary, input";

/** Whether the key belongs to what has the focus. */
function isOthers({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest(FIELDS)) return true;
  if (key === " " && target.closest(PRESSED)) return true;
  return key.length > 1 && key !== "Escape" && target.closest(WIDGETS) !== null;
}

/** Whether something lies over the page: a dialog, or what has opened beside a control. Tips do not count. */
function isCovered(): boolean {
  return document.querySelector("dialog[open], [popover=auto]:popover-open, [popover='']:popover-open") !== null;
}
