import type { QueryClient, QueryKey } from "@tanstack/react-query";

/**
 * Has what stands under this key asked for again, after something has changed it. Where its first answer is on its way, that one
 * is awaited before: React Query would take it for the new one, though it may be of before the change.
 */
export async function readAgain(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  const first = queries
    .getQueryCache()
    .findAll({ queryKey, fetchStatus: "fetching" })
    .filter(({ state }) => state.data === undefined);
  await Promise.allSettled(first.map(({ promise }) => promise));
  await queries.invalidateQueries({ queryKey });
}
