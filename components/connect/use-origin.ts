import { useSyncExternalStore } from "react";

/** The origin does not change while the page is open. */
const neverChanges = () => () => undefined;

/** The server's origin as the browser sees it; the assumed one until hydration. */
export function useOrigin(assumed: string): string {
  return useSyncExternalStore(
    neverChanges,
    () => window.location.origin,
    () => assumed,
  );
}
