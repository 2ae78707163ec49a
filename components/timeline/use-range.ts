"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";
import { setParams } from "@/components/selection/set-params.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { rangeOf, type StepRange } from "@/lib/session/timeline/scale/range.ts";

/** The selected range of steps (`from=10&to=20` in the address); null for none. */
export function useRange(): [StepRange | null, (range: StepRange | null) => void] {
  const params = useSearchParams();
  const last = useStudio((state) => state.last);
  const [from, to] = [params.get("from"), params.get("to")];
  const range = useMemo(() => parseRange(from, to, last), [from, to, last]);
  const select = useCallback(selectRange, []);
  return [range, select];
}

/** Reads a range from search parameters; null when it is invalid for this session. */
export function parseRange(from: string | null, to: string | null, last: number): StepRange | null {
  const isStep = (text: string | null) => text !== null && /^\d{1,15}$/.test(text);
  return isStep(from) && isStep(to) ? rangeOf(Number(from), Number(to), last) : null;
}

/** Writes a range into search parameters, or removes it. */
export function selectRange(range: StepRange | null): void {
  setParams({ from: range ? String(range.from) : "", to: range ? String(range.to) : "" });
}
