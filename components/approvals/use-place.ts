"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useEffect, useRef, useState } from "react";
import { currentSearch, writeSearch } from "@/components/client/address.ts";
import { parsePlace, type Status, withPlace } from "./place.ts";

/** Browsers refuse more than a hundred history changes in 30 s, and key repeat makes thirty a second. */
const REST = 400;

/**
 * Tab and selection, synchronized with the address. Fast changes are written when they settle. A late write is dropped
 * when the reader has navigated elsewhere.
 */
export function usePlace() {
  const address = useSearchParams().toString();
  const [place, setPlace] = useState(() => parsePlace(new URLSearchParams(address)));
  const [seen, setSeen] = useState(address);
  const [written, setWritten] = useState(address);

  // The address was changed from elsewhere.
  if (address !== seen) {
    setSeen(address);
    if (address !== written) setPlace(parsePlace(new URLSearchParams(address)));
  }

  const writtenAt = useRef(Number.NEGATIVE_INFINITY);

  // The outside system is the browser's address.
  useEffect(() => {
    const since = performance.now() - writtenAt.current;
    const timer = setTimeout(
      () => {
        const before = currentSearch();
        const query = withPlace(new URLSearchParams(before), place);
        if (query === before) return;
        writtenAt.current = performance.now();
        setWritten(query.slice(1));
        writeSearch(query);
      },
      Math.max(0, REST - since),
    );
    return () => clearTimeout(timer);
  }, [place]);

  const select = useCallback((selected: string | null) => setPlace((before) => ({ ...before, selected })), []);
  const show = useCallback((status: Status) => setPlace({ status, selected: null }), []);
  return { place, select, show };
}
