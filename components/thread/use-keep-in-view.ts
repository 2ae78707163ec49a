"use client";

import { type RefObject, useEffect, useRef } from "react";
import { useStudio } from "@/components/studio/use-studio.ts";
import type { Session } from "@/lib/session/session.ts";

/** Within this distance, px, the reader is at the end. */
const AT_END = 40;

const GESTURES = ["wheel", "touchmove", "keydown", "pointerdown"] as const;

/** Space shown before the target, px. */
const AIR = 12;

/** Pending confirmations. */
const WAITS = "[data-waits]";

/**
 * Keeps the current step in view: the newest while following, else the highlighted row. A reader who has scrolled away
 * is not moved by new events; a seek or an own message scrolls again. Initially it scrolls to a pending confirmation.
 * `unsent`: the number of unsent messages. The scroller has one child.
 */
export function useKeepInView(scroller: RefObject<HTMLElement | null>, session: Session, unsent: number): void {
  const following = useStudio((state) => state.following);
  const playing = useStudio((state) => state.playing);
  const reader = useRef({ left: false, touched: false });
  const opened = useRef(false);
  /** The first pending confirmation, if it is not at the end. */
  const waiting = useRef<Element | null>(null);
  const scrolling = useRef(false);
  const written = useRef(unsent);

  // The outside system is the scroll position: only wheel, touch, keys and drags of the reader count as leaving.
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const note = () => {
      reader.current.touched = true;
    };
    const settle = () => {
      const isOwn = scrolling.current;
      scrolling.current = false;
      if (isOwn || !reader.current.touched) return;
      reader.current = { left: distanceToEnd(element) > AT_END, touched: false };
      waiting.current = null;
    };
    for (const gesture of GESTURES) element.addEventListener(gesture, note, { passive: true });
    element.addEventListener("scroll", settle, { passive: true });
    return () => {
      for (const gesture of GESTURES) element.removeEventListener(gesture, note);
      element.removeEventListener("scroll", settle);
    };
  }, [scroller]);

  // The outside system is the scroll position; it follows the session.
  useEffect(() => {
    const element = scroller.current;
    const wrote = unsent > written.current;
    written.current = unsent;
    if (!element || session.at === 0) return;
    if (wrote || (!following && !playing)) reader.current.left = false;
    if (wrote || !following || !(waiting.current?.isConnected && waiting.current.matches(WAITS)))
      waiting.current = null;
    if (reader.current.left || waiting.current) return;
    reader.current.touched = false;
    const wasOpened = opened.current;
    opened.current = true;
    if (!following) {
      const lit = element.querySelector("[aria-current=step], [data-lit]");
      return afterLayout(lit ?? element, () => {
        if (lit) lit.scrollIntoView({ block: "nearest" });
        else scrolling.current = scrollToEnd(element);
      });
    }
    if (wasOpened)
      return afterLayout(element, () => {
        scrolling.current = scrollToEnd(element);
      });
    scrolling.current = scrollToEnd(element);
    waiting.current = element.querySelector(WAITS);
    if (waiting.current) scrolling.current = bringIntoView(element, waiting.current);
  }, [scroller, session, following, playing, unsent]);

  // The outside system is the layout: rows are measured when they become visible, and the box grows.
  useEffect(() => {
    const element = scroller.current;
    const content = element?.firstElementChild;
    if (!element || !content || !following) return;
    const observer = new ResizeObserver(() => {
      // A row that the reader has just expanded is not scrolled away.
      if (reader.current.left || reader.current.touched) return;
      scrolling.current = waiting.current ? bringIntoView(element, waiting.current) : scrollToEnd(element);
    });
    observer.observe(element);
    observer.observe(content);
    return () => observer.disconnect();
  }, [scroller, following]);
}

/**
 * Runs after layout and before paint, unless cancelled. Scrolling right after rendering would force another layout, the
 * most expensive part of a frame while dragging.
 */
function afterLayout(element: Element, act: () => void): () => void {
  const observer = new ResizeObserver(() => {
    observer.disconnect();
    act();
  });
  observer.observe(element);
  return () => observer.disconnect();
}

function distanceToEnd({ scrollHeight, scrollTop, clientHeight }: Element): number {
  return scrollHeight - scrollTop - clientHeight;
}

/** Scrolls so that as much as fits from `what` to the end is visible. Returns whether it moved. */
function bringIntoView(element: Element, what: Element): boolean {
  const before = element.scrollTop;
  element.scrollTop = element.scrollHeight;
  const above = element.getBoundingClientRect().top - what.getBoundingClientRect().top;
  if (above > -AIR) element.scrollTop -= above + AIR;
  return element.scrollTop !== before;
}

/** Returns whether it moved. */
function scrollToEnd(element: Element): boolean {
  const before = element.scrollTop;
  element.scrollTop = element.scrollHeight;
  return element.scrollTop !== before;
}
