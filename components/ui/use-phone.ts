"use client";

import { useMedia } from "./use-media.ts";

/** The media query of phones and upright tablets; the same as `phone` in the style sheets. */
const PHONE = "(width < 900px)";

/** Whether the window is a phone's. False on the server. */
export function usePhone(): boolean {
  return useMedia(PHONE);
}

/** The current value, in the browser. */
export function isPhone(): boolean {
  return matchMedia(PHONE).matches;
}
