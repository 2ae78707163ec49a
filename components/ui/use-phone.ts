"use client";

import { useMedia } from "./use-media.ts";

/** A window in which one pane at a time has room; the style sheets' `phone` is the same. */
const PHONE = "(width < 768px)";

/** Whether the window is a phone's. On the server it is not. */
export function usePhone(): boolean {
  return useMedia(PHONE);
}

/** The same at this moment, in the browser. */
export function isPhone(): boolean {
  return matchMedia(PHONE).matches;
}
