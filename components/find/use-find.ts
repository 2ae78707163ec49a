"use client";

import { useSearchParams } from "next/navigation";
import { useCallback } from "react";
import { currentSearch, writeSearch } from "@/components/client/address.ts";

const NAME = "find";

/**
 * The search query; null while the search is closed. It is stored in the address, so that a link shows the same hits.
 */
export function useFind(): [string | null, (text: string | null) => void] {
  const find = useSearchParams().get(NAME);
  const change = useCallback((text: string | null) => {
    const params = new URLSearchParams(currentSearch());
    if (text === null) params.delete(NAME);
    else params.set(NAME, text);
    const query = params.toString();
    writeSearch(query ? `?${query}` : "");
  }, []);
  return [find, change];
}
