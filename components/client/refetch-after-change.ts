import type { QueryClient, QueryKey } from "@tanstack/react-query";

/**
 * Invalidates a query after a change. If its first fetch is still running, that one is awaited before: React Query
 * would take its response, which may predate the change, for the new one.
 */
export async function refetchAfterChange(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  const first = queries
    .getQueryCache()
    .findAll({ queryKey, fetchStatus: "fetching" })
    .filter(({ state }) => state.data === undefined);
  await Promise.allSettled(first.map(({ promise }) => promise));
  await queries.invalidateQueries({ queryKey });
}
