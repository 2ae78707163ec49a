"use client";

import { useCallback, useState } from "react";
import { addressOf } from "@/components/compare/place.ts";
import type { Conversation } from "@/lib/api/shapes.ts";
import { MOST_CHANGED } from "@/lib/queue/queue.ts";

/** A selected conversation with its title in the list. */
export type Mark = Pick<Conversation, "id"> & { title: string };

/** The selected conversations, in order of selection; the newest of too many. They are kept while filters change. */
export function useMarks() {
  const [marks, setMarks] = useState<readonly Mark[]>([]);
  const toggle = useCallback((mark: Mark) => {
    setMarks((before) => {
      const others = before.filter(({ id }) => id !== mark.id);
      return others.length < before.length ? others : [...others, mark].slice(-MOST_CHANGED);
    });
  }, []);
  const clear = useCallback(() => setMarks([]), []);
  return { marks, toggle, clear };
}

/** The address of the comparison of the two that were selected last; null until there are two. */
export function comparing(marks: readonly Mark[]): string | null {
  const [a, b] = marks.slice(-2);
  return a && b ? addressOf({ a: a.id, b: b.id }) : null;
}
