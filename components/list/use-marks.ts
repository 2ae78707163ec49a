"use client";

import { useCallback, useState } from "react";
import type { Conversation } from "@/lib/api/shapes.ts";

/** A selected conversation with its title in the list. */
export type Mark = Pick<Conversation, "id"> & { title: string };

/**
 * The two conversations selected for comparison, in order of selection; the newest two of more. They are kept while
 * filters change.
 */
export function useMarks() {
  const [marks, setMarks] = useState<readonly Mark[]>([]);
  const toggle = useCallback((mark: Mark) => {
    setMarks((before) => {
      const others = before.filter(({ id }) => id !== mark.id);
      return others.length < before.length ? others : [...others, mark].slice(-2);
    });
  }, []);
  const clear = useCallback(() => setMarks([]), []);
  return { marks, toggle, clear };
}
