"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";
import { currentSearch, writeSearch } from "@/components/client/address.ts";
import { type Filters, NO_FILTERS, parseFilters, withFilters } from "./filters.ts";

/** The filters and their setter. They are stored in the address, which changes replace. */
export function useFilters() {
  const params = useSearchParams();
  const filters = useMemo(() => parseFilters(new URLSearchParams(params)), [params]);
  const change = useCallback((part: Partial<Filters>) => {
    writeSearch(withFilters(new URLSearchParams(currentSearch()), part));
  }, []);
  const clear = useCallback(() => change(NO_FILTERS), [change]);
  return { filters, change, clear };
}
