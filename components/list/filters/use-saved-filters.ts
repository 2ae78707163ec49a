"use client";

import { useMemo, useSyncExternalStore } from "react";
import { parseSaved, SAVED_KEY, type SavedFilter } from "./saved-filters.ts";

const CHANGED = "obelus:filters";

function onChange(changed: () => void): () => void {
  // Other tabs tell by `storage`, this one by an event of its own.
  addEventListener("storage", changed);
  addEventListener(CHANGED, changed);
  return () => {
    removeEventListener("storage", changed);
    removeEventListener(CHANGED, changed);
  };
}

function read(): string | null {
  return localStorage.getItem(SAVED_KEY);
}

function save(filters: readonly SavedFilter[]): void {
  localStorage.setItem(SAVED_KEY, JSON.stringify(filters));
  dispatchEvent(new Event(CHANGED));
}

/** The filters that were saved in this browser, and a way to change them. */
export function useSavedFilters(): [readonly SavedFilter[], (filters: readonly SavedFilter[]) => void] {
  const text = useSyncExternalStore(onChange, read, () => null);
  return [useMemo(() => parseSaved(text), [text]), save];
}
