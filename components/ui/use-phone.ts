"use client";

import { createContext, use } from "react";
import { PHONE } from "./phone.ts";
import { useMedia } from "./use-media.ts";

/** Whether the server expects a phone. */
export const PhoneExpected = createContext(false);

/** Whether the window is a phone's. While the page is rendered by the server and hydrated, what the server expects. */
export function usePhone(): boolean {
  return useMedia(PHONE, use(PhoneExpected));
}

/** The current value, in the browser. */
export function isPhone(): boolean {
  return matchMedia(PHONE).matches;
}
