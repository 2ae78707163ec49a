"use client";

import { type ReactNode, useEffect } from "react";
import { rememberPreference } from "@/components/client/preference.ts";
import { PHONE, PHONE_COOKIE } from "./phone.ts";
import { useMedia } from "./use-media.ts";
import { PhoneExpected } from "./use-phone.ts";

/** Has pages rendered for the window that the server expects, and corrects what it expects next time. */
export function PhoneProvider({ expected, children }: { expected: boolean; children: ReactNode }) {
  const isPhone = useMedia(PHONE, expected);
  // The outside system is the cookie.
  useEffect(() => {
    if (isPhone !== expected) rememberPreference(PHONE_COOKIE, isPhone ? "1" : "0");
  }, [isPhone, expected]);
  return <PhoneExpected value={expected}>{children}</PhoneExpected>;
}
