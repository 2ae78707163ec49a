"use client";

import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from "react";
import type { Json } from "@/lib/session/json/json.ts";

/** An unsaved edit of a value. */
export interface Draft {
  /** The version that it is based on; null for none. */
  base: { version: number; value: Json } | null;
  text: string;
}

interface Drafts {
  all: ReadonlyMap<string, Draft>;
  set(agent: string, key: string, draft: Draft | null): void;
}

const DraftsContext = createContext<Drafts | null>(null);

const SEPARATOR = "\u0000";

/** Keeps unsaved edits while other keys are shown, and asks before the page is left. */
export function DraftsProvider({ children }: { children: ReactNode }) {
  const [all, setAll] = useState<ReadonlyMap<string, Draft>>(new Map());
  const set = useCallback((agent: string, key: string, draft: Draft | null) => {
    setAll((before) => {
      const next = new Map(before);
      if (draft) next.set(draftKey(agent, key), draft);
      else next.delete(draftKey(agent, key));
      return next;
    });
  }, []);

  const unsaved = [...all.values()].some(isChanged);
  // The outside system is the browser's window.
  useEffect(() => {
    if (!unsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [unsaved]);

  return <DraftsContext value={{ all, set }}>{children}</DraftsContext>;
}

function useDraftsContext(): Drafts {
  const drafts = useContext(DraftsContext);
  if (!drafts) throw new Error("A draft is used outside of the page of agents");
  return drafts;
}

/** A key's unsaved edit and its setter; null for none. */
export function useDraft(agent: string, key: string): [Draft | null, (draft: Draft | null) => void] {
  const { all, set } = useDraftsContext();
  return [all.get(draftKey(agent, key)) ?? null, (draft) => set(agent, key, draft)];
}

/** Returns which keys have unsaved edits. */
export function useHasDraft(): (agent: string, key: string) => boolean {
  const { all } = useDraftsContext();
  return (agent, key) => all.has(draftKey(agent, key));
}

/** Whether an edit differs from its base. */
export function isChanged({ base, text }: Draft): boolean {
  return base === null || text !== printJson(base.value);
}

/** A value as it is edited. */
export function printJson(value: Json): string {
  return JSON.stringify(value, null, 2);
}

function draftKey(agent: string, key: string): string {
  return agent + SEPARATOR + key;
}
