"use client";

import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useCallback, useRef } from "react";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { useAddressFilters } from "@/components/client/use-address-filters.ts";
import { ShortcutFooter } from "@/components/keys/shortcut-footer.tsx";
import { useShortcuts } from "@/components/keys/use-shortcuts.ts";
import { QueueTabs } from "@/components/queue/queue-tabs.tsx";
import { useFirstView, useQueue } from "@/components/queue/use-queue.ts";
import { DropTarget } from "@/components/transfer/drop-target.tsx";
import { TransferMenu } from "@/components/transfer/transfer-menu.tsx";
import { Button } from "@/components/ui/button.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Link } from "@/components/ui/link.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import { exportedColumns } from "./columns/columns.ts";
import { DisplayButton } from "./columns/display-button.tsx";
import { rowsOf } from "./conversation-pages.ts";
import { ConversationTable } from "./conversation-table.tsx";
import { FilterBar } from "./filters/filter-bar.tsx";
import { isFiltered, NO_FILTERS, parseFilters, toListQuery, toQuery, withFilters } from "./filters/filters.ts";
import { useFacets } from "./filters/use-facets.ts";
import { FirstEvent } from "./first-event.tsx";
import { OfflineBanner } from "./offline-banner.tsx";
import { SkeletonRows } from "./skeleton-rows.tsx";
import { StatusTabs } from "./status-tabs.tsx";
import { useConversations } from "./use-conversations.ts";
import { useListUpdates } from "./use-list-updates.ts";
import { comparing, useMarks } from "./use-marks.ts";
import { ViewsButton } from "./views/views-button.tsx";

// Without `loading` the whole list would be hidden until it is there.
const SelectionBar = dynamic(() => import("./selection-bar.tsx").then((module) => module.SelectionBar), {
  loading: () => null,
});

const FILTER_PARAMS = { parse: parseFilters, change: withFilters, none: NO_FILTERS };

/** The list of conversations, most recent activity first, live. `origin` is the server's address. */
export function ConversationList({ origin }: { origin: string }) {
  const t = useTranslations("list");
  const words = useTranslations("queue");
  const { filters, change, clear } = useAddressFilters(FILTER_PARAMS);
  const facets = useFacets();
  const isQueue = filters.queue !== "";
  const queue = useQueue(isQueue);
  const {
    data,
    error,
    isFetchNextPageError,
    isPlaceholderData,
    isFetchingNextPage,
    hasNextPage,
    fetchNextPage,
    refetch,
  } = useConversations(filters);
  const scroller = useRef<HTMLDivElement>(null);
  const atTop = useCallback(() => (scroller.current?.scrollTop ?? 0) < 4, []);
  const news = useListUpdates(filters, atTop);
  const router = useRouter();
  const { marks, toggle, clear: unmark } = useMarks();
  const rows = data ? rowsOf(data) : [];
  const behind = data?.pages[0]?.behind ?? 0;
  const filtered = isFiltered(filters);
  const counts = isFiltered({ ...filters, status: "" }) ? undefined : facets;
  const total = hasNextPage ? (filters.status ? counts?.statuses[filters.status] : counts?.total) : rows.length;

  const loadMore = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const compare = () => {
    const address = comparing(marks);
    if (address) router.push(address);
  };
  const firstView = useFirstView();
  // Without an answer the view says itself what is wrong.
  const openQueue = async () => change({ queue: await firstView().catch(() => "open" as const), status: "" });
  const showNews = () => {
    scroller.current?.scrollTo({ top: 0 });
    news.show();
  };

  const content = () => {
    if (!data && error) {
      return (
        <EmptyState
          icon="unreachable"
          title={t("failed.title")}
          actions={<Button onClick={() => refetch()}>{t("retry")}</Button>}
        >
          {error.message}
        </EmptyState>
      );
    }
    if (!data)
      return (
        <table className="block">
          <SkeletonRows count={12} />
        </table>
      );
    if (rows.length > 0) {
      return (
        <ConversationTable
          scroller={scroller}
          rows={rows}
          state={filters}
          onChange={change}
          total={total ?? null}
          next={data?.pages.at(-1)?.next ?? null}
          hasMore={hasNextPage}
          loadingMore={isFetchingNextPage}
          failed={isFetchNextPageError}
          onMore={loadMore}
          marks={marks}
          onMark={toggle}
          onCompare={compare}
          onUnmark={unmark}
        />
      );
    }
    if (isQueue && !isFiltered({ ...filters, queue: "" }))
      return (
        <EmptyState icon="succeeded" title={words(`empty.${filters.queue || "open"}`)}>
          {words("empty.text")}
        </EmptyState>
      );
    if (!filtered) return <FirstEvent origin={origin} />;
    return (
      <EmptyState icon="search" title={t("none.title")} actions={<Button onClick={clear}>{t("none.clear")}</Button>}>
        {t("none.text")}
      </EmptyState>
    );
  };

  return (
    <>
      {/* On low screens the whole page scrolls, so that rows have room below the filters. */}
      <main
        id="main"
        tabIndex={-1}
        className="grid min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_auto_max-content_minmax(12rem,1fr)_auto] overflow-y-auto outline-none"
      >
        <h1 className="sr-only">{t("caption")}</h1>
        <OfflineBanner />
        <div className="flex min-w-0 items-start gap-2 border-line border-b px-3 py-2 phone:flex-wrap">
          <FilterBar filters={filters} facets={facets} queue={queue} onChange={change} onClear={clear} />
          <TransferMenu
            query={() => toQuery(filters, Date.now())}
            table={() => ({ ...toListQuery(filters, Date.now()), columns: exportedColumns(filters.columns) })}
            isFiltered={filtered}
            isEmpty={rows.length === 0}
          />
          <RequirePermission permission="ingest" otherwise="nothing">
            <NewConversationLink />
            <DropTarget />
          </RequirePermission>
        </div>
        <div className="flex min-w-0 items-center border-line-strong border-b">
          <Segmented
            label={words("view")}
            value={filters.queue === "" ? "all" : "queue"}
            options={[
              { value: "all", label: words("all") },
              { value: "queue", label: words("queue") },
            ]}
            onChange={(view) => (view === "all" ? change({ queue: "" }) : void openQueue())}
            className="phone:h-11 ml-3"
          />
          {filters.queue === "" ? (
            <StatusTabs current={filters.status} counts={counts} onChange={(status) => change({ status })} />
          ) : (
            <QueueTabs current={filters.queue} queue={queue} onChange={(view) => change({ queue: view })} />
          )}
          <div className="ml-auto flex flex-none items-center gap-2 pr-3 pl-2 phone:gap-1 phone:pr-1">
            <ViewsButton state={filters} onChange={change} />
            <DisplayButton state={filters} rows={rows} onChange={change} />
          </div>
        </div>
        <div className="relative row-start-4 min-h-0">
          <NewsPill count={news.count} onShow={showNews} />
          <div
            ref={scroller}
            aria-busy={isPlaceholderData}
            onScroll={() => news.count > 0 && atTop() && news.show()}
            className={`h-full overflow-auto [overflow-anchor:none] ${isPlaceholderData ? "opacity-60" : ""}`}
          >
            {content()}
          </div>
        </div>
        {marks.length > 0 && <SelectionBar marks={marks} onClear={unmark} />}
      </main>
      <ListFoot shown={rows.length} total={total ?? null} behind={behind} />
    </>
  );
}

/** The server is counting. */
const MOST_COUNTED = 10_000;

interface ListFootProps {
  shown: number;
  /** The number of matches; null while unknown. */
  total: number | null;
  /** Events that are not indexed yet. */
  behind: number;
}

/** The footer: keyboard shortcuts, and how many rows are loaded. */
function ListFoot({ shown, total, behind }: ListFootProps) {
  const t = useTranslations("list");
  return (
    <ShortcutFooter page="list">
      {behind > 0 &&
        `${behind < MOST_COUNTED ? t("behind", { count: behind }) : t("behind_more", { count: behind })} · `}
      {total === null ? t("shown", { shown }) : t("shown_of", { shown, total })}
    </ShortcutFooter>
  );
}

const NEW = "/new";

/** A link to a new conversation; `N` opens it. */
function NewConversationLink() {
  const t = useTranslations("compose");
  const router = useRouter();
  useShortcuts({ create: () => router.push(NEW) });
  return (
    <Link
      href={NEW}
      aria-keyshortcuts="N"
      className="inline-flex h-7.5 phone:size-11 phone:justify-center flex-none items-center gap-1.5 rounded-2 border border-accent bg-accent pr-2.5 pl-2 font-medium whitespace-nowrap text-accent-fg hover:border-accent-hover hover:bg-accent-hover"
    >
      <Icon name="plus" size={14} />
      <span className="phone:sr-only">{t("new")}</span>
    </Link>
  );
}

/** A button that announces new conversations above and scrolls to them. */
function NewsPill({ count, onShow }: { count: number; onShow: () => void }) {
  const t = useTranslations("list");
  return (
    <div role="status" className="pointer-events-none absolute inset-x-0 top-8 z-2 flex justify-center">
      {count > 0 && (
        <button
          type="button"
          onClick={onShow}
          className="pointer-events-auto inline-flex h-7 items-center gap-1.5 rounded-full border border-line-strong bg-raised pr-3 pl-2 font-medium shadow-2 hover:bg-hover focus-visible:rounded-full"
        >
          <Icon name="up" size={14} />
          {t("new", { count })}
        </button>
      )}
    </div>
  );
}
