"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useCallback } from "react";
import { addressOf, callApi } from "@/components/client/api.ts";
import { useAddressFilters } from "@/components/client/use-address-filters.ts";
import { KeyboardHelp } from "@/components/keys/keyboard-help.tsx";
import { Button } from "@/components/ui/button.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import type { AuditEntry, Page } from "@/lib/api/shapes.ts";
import { AuditFilters } from "./audit-filters.tsx";
import { type AuditPages, auditKey, PAGE_SIZE } from "./audit-pages.ts";
import { AuditTable } from "./audit-table.tsx";
import { type Filters, isFiltered, NO_FILTERS, parseFilters, toQuery, withFilters } from "./filters.ts";

const FILTER_PARAMS = { parse: parseFilters, change: withFilters, none: NO_FILTERS };

/** The audit log. `actors` are the known actors. */
export function Audit({ actors }: { actors: readonly string[] }) {
  const t = useTranslations("audit");
  const { filters, change, clear } = useAddressFilters(FILTER_PARAMS);
  const query = useAudit(filters);
  const { fetchNextPage, isPlaceholderData } = query;
  const load = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const entries = query.data?.pages.flatMap(({ items }) => items) ?? [];

  const content = () => {
    if (!query.data && query.error)
      return (
        <EmptyState
          icon="unreachable"
          title={t("failed")}
          actions={<Button onClick={() => void query.refetch()}>{t("retry")}</Button>}
          className="mx-0! px-0!"
        >
          {query.error.message}
        </EmptyState>
      );
    if (!query.data) return <Skeleton />;
    if (entries.length === 0)
      return (
        <EmptyState
          icon={isFiltered(filters) ? "search" : "thread"}
          title={t(isFiltered(filters) ? "none.title" : "empty.title")}
          actions={isFiltered(filters) ? <Button onClick={clear}>{t("none.clear")}</Button> : undefined}
          className="mx-0! px-0!"
        >
          {t(isFiltered(filters) ? "none.text" : "empty.text")}
        </EmptyState>
      );
    const more = {
      has: query.hasNextPage,
      loading: query.isFetchingNextPage,
      failed: query.isFetchNextPageError,
      load,
    };
    return <AuditTable entries={entries} more={more} />;
  };
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2 text-12">
        <AuditFilters filters={filters} actors={actors} onChange={change} onClear={clear} />
        <Export filters={filters} />
      </div>
      <div aria-busy={isPlaceholderData} className={isPlaceholderData ? "opacity-60" : ""}>
        {content()}
      </div>
      <div className="mt-3 flex items-center gap-3 text-11 text-fg-3">
        <span role="status" className="tabular-nums">
          {query.data && t(query.hasNextPage ? "shown_more" : "shown", { count: entries.length })}
        </span>
        <KeyboardHelp page="audit" className="phone:hidden" />
      </div>
    </>
  );
}

/** Exports all matching entries, including those that are not loaded. */
function Export({ filters }: { filters: Filters }) {
  const t = useTranslations("audit");
  return (
    <a
      href={addressOf("/api/audit/export", toQuery(filters))}
      // Dates in the filters are in the reader's time zone.
      suppressHydrationWarning
      download
      title={t("export_title")}
      className="inline-flex h-7.5 phone:h-11 flex-none items-center gap-1.25 rounded-2 border border-line-strong bg-raised px-2.25 font-medium whitespace-nowrap text-fg hover:bg-hover"
    >
      <Icon name="export" size={14} />
      {t("export")}
    </a>
  );
}

/** A skeleton while the entries load. */
function Skeleton() {
  return (
    <div aria-hidden className="animate-pulse-soft">
      {Array.from({ length: 12 }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <div key={row} className="flex h-8.75 items-center gap-6 border-line border-b pl-8">
          <span className="h-2 w-24 rounded-1 bg-active" />
          <span className="h-2 w-20 rounded-1 bg-active" />
          <span className="h-2 flex-1 rounded-1 bg-active" />
        </div>
      ))}
    </div>
  );
}

/** Entries, newest first, page by page. While other filters load, the previous entries stay. */
function useAudit(filters: Filters) {
  return useInfiniteQuery<Page<AuditEntry>, Error, AuditPages, ReturnType<typeof auditKey>, string | null>({
    queryKey: auditKey(filters),
    queryFn: ({ pageParam, signal }) =>
      callApi("/api/audit", { query: { ...toQuery(filters), cursor: pageParam, limit: PAGE_SIZE }, signal }),
    initialPageParam: null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    // Entries are immutable; newer ones appear after a reload.
    staleTime: Number.POSITIVE_INFINITY,
  });
}
