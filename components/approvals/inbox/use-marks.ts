"use client";

import { useCallback, useState } from "react";
import type { ListedConfirmation } from "@/lib/api/shapes.ts";

const NONE: ReadonlySet<string> = new Set();

/** The approvals selected for a bulk decision, limited to those that are still pending and shown. */
export function useMarks(items: readonly ListedConfirmation[]) {
  const [ids, setIds] = useState(NONE);
  const waiting = items.filter(({ status }) => status === "requested");
  const marked = waiting.filter(({ id }) => ids.has(id));
  const toggle = useCallback((id: string) => {
    setIds((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  const clear = useCallback(() => setIds(NONE), []);
  const markAll = () => setIds(new Set(waiting.map(({ id }) => id)));
  return { marked, waiting: waiting.length, isMarked: (id: string) => ids.has(id), toggle, clear, markAll };
}

export type Marks = ReturnType<typeof useMarks>;
