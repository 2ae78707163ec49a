"use client";

import { useLiveRefresh } from "@/components/client/use-live-refresh.ts";
import { FACETS_KEY } from "@/components/list/filters/facets-key.ts";
import { useFacets } from "@/components/list/filters/use-facets.ts";
import type { Facets } from "@/lib/api/shapes.ts";

/** At most one count in this time, ms. */
const PACE = 1_000;

/** What changes one of the counts. */
const COUNTED = /^(confirmation\.|manager\.alerted$|conversation\.handed_back$)/;

/** How many decisions are awaited and managers called on the whole server, live; undefined until that is known. */
export function useAwaiting(): Pick<Facets, "awaiting" | "alerts"> | undefined {
  useLiveRefresh({ keys: [FACETS_KEY], pace: PACE, concerns: ({ type }) => COUNTED.test(type) });
  return useFacets();
}
