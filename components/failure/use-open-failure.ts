"use client";

import { setParam } from "@/components/selection/set-params.ts";
import { useStudioStore } from "@/components/studio/use-studio.ts";
import { FAILURE, type NEWEST } from "./failure-address.ts";

/** Opens the card of a failure, or of the newest one; Back closes it, at the step where it was opened. */
export function useOpenFailure(): (seq: number | typeof NEWEST) => void {
  const store = useStudioStore();
  return (seq) => store.getState().jump(() => setParam(FAILURE, String(seq)));
}
