import { useSyncExternalStore } from "react";
import type { Transfer } from "./transfer.ts";
import { onTransfers, readTransfers } from "./transfers.ts";

const NONE: readonly Transfer[] = [];

/** The transfers of this tab. */
export function useTransfers(): readonly Transfer[] {
  return useSyncExternalStore(onTransfers, readTransfers, () => NONE);
}
