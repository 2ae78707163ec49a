"use client";

import { useSearchParams } from "next/navigation";
import { useCallback } from "react";
import { setParam } from "@/components/selection/set-params.ts";

/** The step whose state is shown beside the playhead's (`with=12` in the address); null for none. */
export function usePinnedStep(): [number | null, (step: number | null) => void] {
  const text = useSearchParams().get("with");
  const pin = useCallback((step: number | null) => setParam("with", step === null ? "" : String(step)), []);
  return [text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null, pin];
}
