"use client";

import { useState } from "react";
import type { Confirmation } from "@/lib/session/session.ts";

/** What a person decides by. */
export type SeenRequest = Pick<Confirmation, "id" | "requested_seq" | "description" | "action" | "cause" | "key">;

/**
 * The request that a person has in view. Its agent may ask for something else under the same id meanwhile: `before` is then what
 * they saw, and nothing is decided until they have `accept`ed to look at the new one.
 */
export function useSeen(now: SeenRequest | null): { before: SeenRequest | null; accept: () => void } {
  const [seen, setSeen] = useState(now);
  const isOther = seen?.id !== now?.id;
  if (isOther) setSeen(now);
  const changed = !isOther && seen !== null && now !== null && !isSame(seen, now);
  return { before: changed ? seen : null, accept: () => setSeen(now) };
}

function isSame(seen: SeenRequest, now: SeenRequest): boolean {
  return seen.requested_seq === now.requested_seq || textOf(seen) === textOf(now);
}

function textOf({ description, action, cause }: SeenRequest): string {
  return JSON.stringify([description, action, cause]);
}
