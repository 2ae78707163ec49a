"use client";

import { lazy, Suspense, useEffect, useSyncExternalStore } from "react";
import { isGoingOn, type Transfer } from "./transfer.ts";
import { onTransfers, readAsked, readTransfers } from "./transfers.ts";

// Loaded with the first file.
const ImportDialog = lazy(() => import("./import-dialog.tsx").then((module) => ({ default: module.ImportDialog })));
const TransferPanel = lazy(() => import("./transfer-panel.tsx").then((module) => ({ default: module.TransferPanel })));

/** Running imports and exports, on every page; closing the tab is confirmed (C12). */
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

/** The files of the open import dialog. */
function useAsked(): readonly File[] {
  return useSyncExternalStore(onTransfers, readAsked, () => NONE);
}
