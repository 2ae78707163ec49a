"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";
import { type Filters, NO_FILTERS, parseFilters, withFilters } from "./filters.ts";

/** The audit's filters and a way to change them. The address owns them; changes replace it. */
export function useFilters() {
  const params = useSearchParams();
  const filters = useMemo(() => parseFilters(new URLSearchParams(params)), [params]);
  const change = useCallback((part: Partial<Filters>) => {
    const query = withFilters(new URLSearchParams(window.location.search), part);
    window.history.replaceState(null, "", window.location.pathname + query);
  }, []);
  const clear = useCallback(() => change(NO_FILTERS), [change]);
  return { filters, change, clear };
}
