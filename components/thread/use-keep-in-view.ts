"use client";

import { type RefObject, useEffect, useRef } from "react";
import { useStudio } from "@/components/studio/use-studio.ts";
import type { Session } from "@/lib/session/session.ts";

/** Nearer to the end than this, px, the reader is at the end. */
const AT_END = 40;

/**
 * Keeps what the playhead points at in view: the newest while it follows, else the lit row. A reader who scrolled
 * away is left alone while things only move on by themselves; a seek of their own brings the place into view again.
 */
export function useKeepInView(scroller: RefObject<HTMLElement | null>, session: Session): void {
  const following = useStudio((state) => state.following);
  const playing = useStudio((state) => state.playing);
  const readerLeft = useRef(false);

  // The outside system is the scroll position: only a reader's own wheel, touch, key or drag counts as leaving.
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let byReader = false;
    const note = () => {
      byReader = true;
    };
    const settle = () => {
      if (!byReader) return;
      byReader = false;
      readerLeft.current = element.scrollHeight - element.scrollTop - element.clientHeight > AT_END;
    };
    const gestures = ["wheel", "touchmove", "keydown", "pointerdown"] as const;
    for (const gesture of gestures) element.addEventListener(gesture, note, { passive: true });
    element.addEventListener("scroll", settle, { passive: true });
    return () => {
      for (const gesture of gestures) element.removeEventListener(gesture, note);
      element.removeEventListener("scroll", settle);
    };
  }, [scroller]);

  // The outside system is the scroll position again; it follows what the session shows.
  useEffect(() => {
    const element = scroller.current;
    if (!element || session.at === 0) return;
    if (!following && !playing) readerLeft.current = false;
    if (readerLeft.current) return;
    const lit = following ? null : element.querySelector("[aria-current=step], [data-lit]");
    if (lit) lit.scrollIntoView({ block: "nearest" });
    else element.scrollTop = element.scrollHeight;
  }, [scroller, session, following, playing]);
}
