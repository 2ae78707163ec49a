"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";
import { currentSearch, writeSearch } from "./address.ts";

/** How filters are read from search parameters, and changed in them. */
interface FilterParams<F> {
  parse(params: URLSearchParams): F;
  change(params: URLSearchParams, part: Partial<F>): string;
  none: Partial<F>;
}

/** A page's filters and their setter. They are stored in the address, which changes replace. */
export function useAddressFilters<F>({ parse, change: changed, none }: FilterParams<F>) {
  const params = useSearchParams();
  const filters = useMemo(() => parse(new URLSearchParams(params)), [params, parse]);
  const change = useCallback(
    (part: Partial<F>) => writeSearch(changed(new URLSearchParams(currentSearch()), part)),
    [changed],
  );
  const clear = useCallback(() => change(none), [change, none]);
  return { filters, change, clear };
}
