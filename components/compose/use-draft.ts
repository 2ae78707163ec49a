"use client";

import { useCallback, useSyncExternalStore } from "react";

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function keyOf(conversation: string): string {
  return `obelus-draft-${conversation}`;
}

/** Sets the draft of a conversation, for when it is opened in this tab. */
export function writeDraft(conversation: string, text: string): void {
  if (text === "") sessionStorage.removeItem(keyOf(conversation));
  else sessionStorage.setItem(keyOf(conversation), text);
  for (const listener of listeners) listener();
}

/** The draft of a conversation, kept in session storage. */
export function useDraft(conversation: string): [text: string, write: (text: string) => void] {
  const text = useSyncExternalStore(
    subscribe,
    () => sessionStorage.getItem(keyOf(conversation)) ?? "",
    () => "",
  );
  const write = useCallback((next: string) => writeDraft(conversation, next), [conversation]);
  return [text, write];
}
