"use client";

import { useLiveRefresh } from "@/components/client/use-live-refresh.ts";
import { conversationKey, RENDERED_KEY } from "../queries.ts";

/** Minimum time between two refreshes, ms. */
const PACE = 1_000;

/** Follows the conversation of a prompt, and refreshes after a reconnect. */
export function useLiveSource(conversationId: string | null): void {
  const keys = conversationId === null ? [] : [conversationKey(conversationId), RENDERED_KEY];
  useLiveRefresh({ keys, pace: PACE, conversationId });
}
