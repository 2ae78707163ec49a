"use client";

import { useState } from "react";
import { copyText } from "./copy-text.ts";

/** How long the result is shown, ms. */
const SHOWN = 1_500;

export type CopyOutcome = "copied" | "refused" | null;

/** Copies texts, and reports the result for a moment. */
export function useCopy(): [CopyOutcome, (text: string) => Promise<void>] {
  const [outcome, setOutcome] = useState<CopyOutcome>(null);
  const copy = async (text: string) => {
    setOutcome(
      await copyText(text).then(
        () => "copied" as const,
        () => "refused" as const,
      ),
    );
    setTimeout(() => setOutcome(null), SHOWN);
  };
  return [outcome, copy];
}
