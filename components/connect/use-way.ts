"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";
import { parseWay, withWay } from "./place.ts";
import type { Way } from "./snippets.ts";

/** The way that is shown, which is in the address alone, and how to show another. */
export function useWay(): [Way, (way: Way) => void] {
  const params = useSearchParams();
  const way = useMemo(() => parseWay(new URLSearchParams(params)), [params]);
  const show = useCallback((way: Way) => {
    const { pathname, search } = window.location;
    window.history.replaceState(null, "", pathname + withWay(new URLSearchParams(search), way));
  }, []);
  return [way, show];
}
