"use client";

import { useEffect, useEffectEvent } from "react";
import { isTyping } from "@/components/shell/is-typing.ts";

/** Calls back on Escape while `active`, before anything else that listens to it. */
export function useEscape(active: boolean, onEscape: () => void): void {
  const leave = useEffectEvent(onEscape);
  // The outside system is the keyboard, page-wide.
  useEffect(() => {
    if (!active) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || isTyping(event)) return;
      event.stopPropagation();
      leave();
    };
    window.addEventListener("keydown", onKeyDown, { capture: true });
    return () => window.removeEventListener("keydown", onKeyDown, { capture: true });
  }, [active]);
}
