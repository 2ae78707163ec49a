"use client";

import { useSyncExternalStore } from "react";
import { isHeld, onPending, type PendingDecision, pendingOf, readPending } from "./pending.ts";

const NONE: readonly PendingDecision[] = [];

/** The decisions of this tab that are not over. */
export function usePending(): readonly PendingDecision[] {
  return useSyncExternalStore(onPending, readPending, () => NONE);
}

/** The one about a confirmation. */
export function usePendingOf(confirmationId: string): PendingDecision | null {
  return pendingOf(usePending(), confirmationId);
}

/** Whether their time stands still. */
export function useHeldTime(): boolean {
  return useSyncExternalStore(onPending, isHeld, () => false);
}
