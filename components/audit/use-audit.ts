"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import type { AuditEntry, Page } from "@/lib/api/shapes.ts";
import { type AuditPages, auditKey, PAGE_SIZE } from "./audit-pages.ts";
import { type Filters, toQuery } from "./filters.ts";

/** What was done, newest first, page by page. While other filters load, the entries of the last ones stay. */
export function useAudit(filters: Filters) {
  return useInfiniteQuery<Page<AuditEntry>, Error, AuditPages, ReturnType<typeof auditKey>, string | null>({
    queryKey: auditKey(filters),
    queryFn: ({ pageParam, signal }) =>
      callApi("/api/audit", { query: { ...toQuery(filters), cursor: pageParam, limit: PAGE_SIZE }, signal }),
    initialPageParam: null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    // Entries never change; whoever wants newer ones loads the page again.
    staleTime: Number.POSITIVE_INFINITY,
  });
}
