"use client";

import { useLiveRefresh } from "@/components/client/use-live-refresh.ts";
import { conversationKey, RENDERED_KEY } from "../queries.ts";

/** At most one look at the server in this time, ms. */
const PACE = 1_000;

/** Keeps up with the conversation that a prompt is made of, and asks anew when the connection is back. */
export function useLiveSource(conversationId: string | null): void {
  const keys = conversationId === null ? [] : [conversationKey(conversationId), RENDERED_KEY];
  useLiveRefresh({ keys, pace: PACE, conversationId });
}
