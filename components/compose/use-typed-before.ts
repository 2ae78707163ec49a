"use client";

import { type RefObject, useEffect, useEffectEvent } from "react";

/** Takes over what was typed into a field before the page came to life: React begins with what the server wrote. */
export function useTypedBefore(
  field: RefObject<HTMLInputElement | HTMLTextAreaElement | null>,
  text: string,
  write: (text: string) => void,
): void {
  const adopt = useEffectEvent((typed: string) => {
    if (typed !== "" && typed !== text) write(typed);
  });
  // The outside system is the page as the server sent it.
  useEffect(() => adopt(field.current?.value ?? ""), [field]);
}
