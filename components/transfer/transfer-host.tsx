"use client";

import { lazy, Suspense, useEffect, useSyncExternalStore } from "react";
import { isGoingOn, type Transfer } from "./transfer.ts";
import { onTransfers, readAsked, readTransfers } from "./transfers.ts";

// Their code comes with the first file.
const ImportDialog = lazy(() => import("./import-dialog.tsx").then((module) => ({ default: module.ImportDialog })));
const TransferPanel = lazy(() => import("./transfer-panel.tsx").then((module) => ({ default: module.TransferPanel })));

/** Imports and exports that are under way, on every page; the tab asks before it is closed on them (C12). */
export function TransferHost() {
  const transfers = useTransfers();
  const asked = useAsked();
  const isBusy = transfers.some(isGoingOn);

  // The outside system is the browser's tab.
  useEffect(() => {
    if (!isBusy) return;
    const onLeave = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", onLeave);
    return () => removeEventListener("beforeunload", onLeave);
  }, [isBusy]);

  return (
    <>
      {transfers.length > 0 && (
        <Suspense>
          <TransferPanel transfers={transfers} />
        </Suspense>
      )}
      {asked.length > 0 && (
        <Suspense>
          <ImportDialog files={asked} />
        </Suspense>
      )}
    </>
  );
}

const NONE: readonly never[] = [];

/** The transfers of this tab. */
function useTransfers(): readonly Transfer[] {
  return useSyncExternalStore(onTransfers, readTransfers, () => NONE);
}

/** The files about which the reader is asked how they are to be imported. */
function useAsked(): readonly File[] {
  return useSyncExternalStore(onTransfers, readAsked, () => NONE);
}
