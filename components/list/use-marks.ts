"use client";

import { useCallback, useState } from "react";
import type { Conversation } from "@/lib/api/shapes.ts";

/** A conversation that is marked, with what it is called in the list. */
export type Mark = Pick<Conversation, "id"> & { title: string };

/**
 * The two conversations that are marked to be compared, in the order of marking; of more than two the newest. They stay
 * while the list is searched and filtered, which is how the second one is found.
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
