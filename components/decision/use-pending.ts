"use client";

import { useSyncExternalStore } from "react";
import {
  handBackOf,
  isPaused,
  onPending,
  type Pending,
  type PendingDecision,
  type PendingHandBack,
  pendingOf,
  readPending,
} from "./pending.ts";

const NONE: readonly Pending[] = [];

/** The open decisions of this tab. */
export function usePending(): readonly Pending[] {
  return useSyncExternalStore(onPending, readPending, () => NONE);
}

/** The open decision about a confirmation. */
export function usePendingOf(confirmationId: string): PendingDecision | null {
  return pendingOf(usePending(), confirmationId);
}

/** The open handback of a conversation. */
export function usePendingHandBack(conversationId: string): PendingHandBack | null {
  return handBackOf(usePending(), conversationId);
}

/** Whether their time is paused. */
export function useHeldTime(): boolean {
  return useSyncExternalStore(onPending, isPaused, () => false);
}
