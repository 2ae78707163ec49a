"use client";

import { type FocusEvent, type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { Mark } from "./prompt-marks.ts";

/** Which mark of a prompt is looked at, and how a person gets from one to another. */
interface Marks {
  text: RefObject<HTMLDivElement | null>;
  /** The mark under the pointer, else the one that was chosen. */
  shown: number | null;
  /** The mark that was chosen by a click or by keys. */
  pinned: number | null;
  handlers: {
    onPointerOver(event: PointerEvent): void;
    onPointerLeave(): void;
    onFocus(event: FocusEvent): void;
    onKeyDown(event: KeyboardEvent): void;
  };
  goTo(mark: number): void;
}

/** `showAll` brings the marks on the screen that are folded away. */
export function useMarks(marks: readonly Mark[], showAll: () => void): Marks {
  const text = useRef<HTMLDivElement>(null);
  const [hovered, setHovered] = useState<number | null>(null);
  const [pinned, setPinned] = useState<number | null>(null);

  const stopOf = (mark: number) => text.current?.querySelector<HTMLElement>(`[data-mark="${mark}"][tabindex]`);
  const goTo = (mark: number) => {
    if (!stopOf(mark)) flushSync(showAll);
    stopOf(mark)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && pinned !== null) setPinned(null);
    else {
      const next = stopByKey(event.key, marks, pinned);
      if (next === null) return;
      goTo(next);
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return {
    text,
    shown: hovered ?? pinned,
    pinned,
    handlers: {
      onPointerOver: ({ target }) => setHovered(markOf(target)),
      onPointerLeave: () => setHovered(null),
      onFocus: ({ target }) => setPinned(markOf(target)),
      onKeyDown,
    },
    goTo,
  };
}

/** Where a key leads among the marks; null where it is none of theirs or there is nothing that way. */
function stopByKey(key: string, marks: readonly Mark[], from: number | null): number | null {
  const stops = marks.flatMap(({ isStop }, index) => (isStop ? [index] : []));
  const at = from === null ? -1 : stops.indexOf(from);
  switch (key) {
    case "ArrowRight":
    case "ArrowDown":
      return stops[at + 1] ?? null;
    case "ArrowLeft":
    case "ArrowUp":
      return stops[at - 1] ?? null;
    case "Home":
      return stops.at(0) ?? null;
    case "End":
      return stops.at(-1) ?? null;
    default:
      return null;
  }
}

function markOf(target: EventTarget): number | null {
  const mark = target instanceof Element ? target.closest<HTMLElement>("[data-mark]")?.dataset.mark : undefined;
  return mark === undefined ? null : Number(mark);
}
