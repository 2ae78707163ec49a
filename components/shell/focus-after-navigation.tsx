"use client";

import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";

/**
 * Moves the focus to the content of the page after a navigation that removed the focused element, as the button of a form that was
 * saved. The browser would go on from the top of the document, and a screen reader would say nothing.
 */
export function FocusAfterNavigation() {
  const path = usePathname();
  const before = useRef(path);

  // The outside system is the document's focus.
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    if (document.activeElement === null || document.activeElement === document.body)
      document.getElementById("main")?.focus({ preventScroll: true });
  }, [path]);
  return null;
}
