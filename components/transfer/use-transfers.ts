import { useSyncExternalStore } from "react";
import type { Transfer } from "./transfer.ts";
import { onTransfers, readAsked, readTransfers } from "./transfers.ts";

const NONE: readonly never[] = [];

/** The transfers of this tab. */
export function useTransfers(): readonly Transfer[] {
  return useSyncExternalStore(onTransfers, readTransfers, () => NONE);
}

/** The files about which the reader is asked how they are to be imported. */
export function useAsked(): readonly File[] {
  return useSyncExternalStore(onTransfers, readAsked, () => NONE);
}
