"use client";

import { type FocusEvent, type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { Mark } from "./prompt-marks.ts";

/** The current mark of a prompt, and keyboard navigation between marks. */
interface Marks {
  text: RefObject<HTMLDivElement | null>;
  /** The hovered mark, else the chosen one. */
  shown: number | null;
  /** The mark chosen by click or key. */
  pinned: number | null;
  handlers: {
    onPointerOver(event: PointerEvent): void;
    onPointerLeave(): void;
    onFocus(event: FocusEvent): void;
    onKeyDown(event: KeyboardEvent): void;
  };
  goTo(mark: number): void;
}

/** `showAll` renders folded marks. */
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

/** The mark to which a key leads; null for other keys, or at an end. */
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
