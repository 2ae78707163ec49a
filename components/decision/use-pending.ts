"use client";

import { useSyncExternalStore } from "react";
import {
  handBackOf,
  isHeld,
  onPending,
  type Pending,
  type PendingDecision,
  type PendingHandBack,
  pendingOf,
  readPending,
} from "./pending.ts";

const NONE: readonly Pending[] = [];

/** What was decided in this tab and is not over. */
export function usePending(): readonly Pending[] {
  return useSyncExternalStore(onPending, readPending, () => NONE);
}

/** The one about a confirmation. */
export function usePendingOf(confirmationId: string): PendingDecision | null {
  return pendingOf(usePending(), confirmationId);
}

/** That a conversation is handed back. */
export function usePendingHandBack(conversationId: string): PendingHandBack | null {
  return handBackOf(usePending(), conversationId);
}

/** Whether their time stands still. */
export function useHeldTime(): boolean {
  return useSyncExternalStore(onPending, isHeld, () => false);
}
