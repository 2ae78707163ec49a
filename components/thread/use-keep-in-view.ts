"use client";

import { type RefObject, useEffect, useRef } from "react";
import { useStudio } from "@/components/studio/use-studio.ts";
import type { Session } from "@/lib/session/session.ts";

/** Nearer to the end than this, px, the reader is at the end. */
const AT_END = 40;

const GESTURES = ["wheel", "touchmove", "keydown", "pointerdown"] as const;

/** So much of what stands before it is seen, too, px. */
const AIR = 12;

/** What a person is asked to decide. */
const WAITS = "[data-waits]";

/**
 * Keeps what the playhead points at in view: the newest while it follows, else the lit row. A reader who scrolled
 * away is left alone while things only move on by themselves; a seek or a message of their own brings the place into
 * view again. Where something waits for a person when it is opened, that is the place. `unsent`: how many of their messages are on their way. The scroller's one child holds all that scrolls.
 */
export function useKeepInView(scroller: RefObject<HTMLElement | null>, session: Session, unsent: number): void {
  const following = useStudio((state) => state.following);
  const playing = useStudio((state) => state.playing);
  const reader = useRef({ left: false, touched: false });
  const opened = useRef(false);
  /** What waited when the thread was opened, and stands further up than its end. */
  const waiting = useRef<Element | null>(null);
  const scrolling = useRef(false);
  const written = useRef(unsent);

  // The outside system is the scroll position: only a reader's own wheel, touch, key or drag counts as leaving.
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

  // The outside system is the scroll position again; it follows what the session shows.
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

  // The outside system is the layout: rows get their real height when they come into view, and the box below grows.
  useEffect(() => {
    const element = scroller.current;
    const content = element?.firstElementChild;
    if (!element || !content || !following) return;
    const observer = new ResizeObserver(() => {
      // What the reader has just opened is not to be scrolled away from under their hand.
      if (reader.current.left || reader.current.touched) return;
      scrolling.current = waiting.current ? bringIntoView(element, waiting.current) : scrollToEnd(element);
    });
    observer.observe(element);
    observer.observe(content);
    return () => observer.disconnect();
  }, [scroller, following]);
}

/**
 * Acts once the browser has laid the page out, before it is painted; not after the returned function was called. To scroll
 * right after rendering would lay it out once more, and that is the dearest part of a frame while the playhead is dragged.
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

/** Shows as much as fits of what stands from `what` to the end. Tells whether anything had to move. */
function bringIntoView(element: Element, what: Element): boolean {
  const before = element.scrollTop;
  element.scrollTop = element.scrollHeight;
  const above = element.getBoundingClientRect().top - what.getBoundingClientRect().top;
  if (above > -AIR) element.scrollTop -= above + AIR;
  return element.scrollTop !== before;
}

/** Tells whether anything had to move. */
function scrollToEnd(element: Element): boolean {
  const before = element.scrollTop;
  element.scrollTop = element.scrollHeight;
  return element.scrollTop !== before;
}
