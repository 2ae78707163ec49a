"use client";

import { useCallback, useSyncExternalStore } from "react";

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What is being written, kept in this tab over a reload; each conversation has its own. */
export function useDraft(conversation: string): [text: string, write: (text: string) => void] {
  const key = `obelus-draft-${conversation}`;
  const text = useSyncExternalStore(
    subscribe,
    () => sessionStorage.getItem(key) ?? "",
    () => "",
  );
  const write = useCallback(
    (next: string) => {
      if (next === "") sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, next);
      for (const listener of listeners) listener();
    },
    [key],
  );
  return [text, write];
}
