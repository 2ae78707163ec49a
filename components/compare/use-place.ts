"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";
import { addressOf, changed, type Place, parsePlace } from "./place.ts";

/** The selection and its setter. Other conversations add a history entry; any other change replaces the address. */
export function usePlace(): [Place, (change: Partial<Place>) => void] {
  const params = useSearchParams();
  const place = useMemo(() => parsePlace(new URLSearchParams(params)), [params]);
  const change = useCallback((part: Partial<Place>) => {
    const now = parsePlace(new URLSearchParams(window.location.search));
    const address = addressOf(changed(now, part));
    if (part.a === undefined && part.b === undefined) window.history.replaceState(null, "", address);
    else window.history.pushState(null, "", address);
  }, []);
  return [place, change];
}
