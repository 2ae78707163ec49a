"use client";

import { type RefObject, useEffect, useEffectEvent } from "react";

/** Restores what was typed into a field before hydration, which resets it to the server's value. */
export function useInputBeforeHydration(
  field: RefObject<HTMLInputElement | HTMLTextAreaElement | null>,
  text: string,
  write: (text: string) => void,
): void {
  const adopt = useEffectEvent((typed: string) => {
    if (typed !== "" && typed !== text) write(typed);
  });
  // The outside system is the server-rendered page.
  useEffect(() => adopt(field.current?.value ?? ""), [field]);
}
