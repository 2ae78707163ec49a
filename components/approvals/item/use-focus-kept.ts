"use client";

import { useEffect, useRef } from "react";
import type { Status } from "../place.ts";
import { TITLE_ID } from "./title-id.ts";

/** Keeps the focus near when a decision that was taken elsewhere takes away the control that had it. */
export function useFocusKept(status: Status): void {
  const before = useRef(status);
  // The outside system is the browser's focus.
  useEffect(() => {
    if (before.current === status) return;
    before.current = status;
    if (document.activeElement === document.body) document.getElementById(TITLE_ID)?.focus({ preventScroll: true });
  }, [status]);
}
