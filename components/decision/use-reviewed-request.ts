"use client";

import { useState } from "react";
import type { Confirmation } from "@/lib/session/session.ts";

/** The values on which a decision is based. */
export type SeenRequest = Pick<Confirmation, "id" | "requested_seq" | "description" | "action" | "cause" | "key">;

/**
 * The request on screen. When the agent changes a request under the same id, `before` is the previous one, and nothing
 * is decided until the new one was `accept`ed.
 */
export function useReviewedRequest(now: SeenRequest | null): { before: SeenRequest | null; accept: () => void } {
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
