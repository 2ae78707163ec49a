"use client";

import { useTranslations } from "next-intl";
import { useCallback } from "react";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { useHasPermission } from "@/components/access/use-has-permission.ts";
import type { PendingDecision } from "@/components/decision/pending.ts";
import type { ListedConfirmation } from "@/lib/api/shapes.ts";
import type { Status } from "../place.ts";
import { InboxList } from "./inbox-list.tsx";
import { InboxTabs } from "./inbox-tabs.tsx";
import { NoItems } from "./nothing.tsx";
import type { useInbox } from "./use-inbox.ts";
import type { useLiveInbox } from "./use-live-inbox.ts";
import type { Marks } from "./use-marks.ts";

/** The list's heading, which is focused when no approval is left. */
export const HEADING_ID = "approvals-heading";

interface ListPaneProps {
  status: Status;
  query: ReturnType<typeof useInbox>;
  live: ReturnType<typeof useLiveInbox>;
  items: readonly ListedConfirmation[];
  /** The selected approval's id. */
  shown: string | null;
  /** The total; null while unknown. */
  total: number | null;
  marks: Marks;
  /** Decisions that can still be undone, by approval id. */
  pending: ReadonlyMap<string, PendingDecision>;
  onShow: (status: Status) => void;
  onSelect: (id: string) => void;
}

/** The tabs of the inbox and the list of one of them, or its empty state. */
export function ListPane(props: ListPaneProps) {
  const { status, query, live, items, shown, total, marks, pending, onShow, onSelect } = props;
  const t = useTranslations("approvals");
  const decides = useHasPermission("decide");
  const { fetchNextPage } = query;
  const load = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const more = {
    has: query.hasNextPage,
    loading: query.isFetchingNextPage,
    failed: query.isFetchNextPageError,
    load,
  };
  const content = () => {
    if (query.isPending) return <SkeletonItems />;
    if (items.length === 0) return <NoItems status={status} error={query.error} onRetry={() => void query.refetch()} />;
    return (
      <>
        {status === "requested" && (
          <RequirePermission permission="decide" otherwise="nothing">
            <MarkAll marks={marks} />
          </RequirePermission>
        )}
        <InboxList
          // Each tab has its own scroll position.
          key={status}
          status={status}
          items={items}
          shown={shown}
          pending={pending}
          isMarked={decides ? marks.isMarked : null}
          total={total}
          arrived={live.arrived}
          more={more}
          onSelect={onSelect}
          onMark={marks.toggle}
          onSee={live.see}
        />
      </>
    );
  };
  return (
    <section aria-labelledby={HEADING_ID} className="inbox-pane">
      <h2 id={HEADING_ID} tabIndex={-1} className="sr-only">
        {t(`list.${status}`)}
      </h2>
      <InboxTabs current={status} onShow={onShow} />
      {content()}
    </section>
  );
}

/** Selects all shown approvals, or none; shows how many are selected. */
function MarkAll({ marks: { marked, waiting, markAll, clear } }: { marks: Marks }) {
  const t = useTranslations("approvals");
  const all = waiting > 0 && marked.length === waiting;
  return (
    <label className="mark-all flex h-8 flex-none items-center gap-2 border-line border-b bg-canvas pr-3 pl-3.5 text-11 text-fg-3">
      <input
        type="checkbox"
        ref={(box) => {
          if (box) box.indeterminate = marked.length > 0 && !all;
        }}
        checked={all}
        disabled={waiting === 0}
        onChange={() => (all ? clear() : markAll())}
        className="checkbox"
      />
      <span className="min-w-0 truncate">
        {marked.length > 0 ? t("marked", { count: marked.length }) : t("markAll", { count: waiting })}
      </span>
    </label>
  );
}

/** Widths of a row's skeleton. */
const LINES = ["w-3/5", "w-2/5", "w-1/2"];

/** A skeleton while the list loads. */
function SkeletonItems() {
  return (
    <div aria-hidden className="animate-pulse-soft overflow-hidden">
      {Array.from({ length: 8 }, (_, item) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <div key={item} className="flex h-[71px] flex-col justify-center gap-2.5 border-line border-b pr-3 pl-9">
          {LINES.map((width) => (
            <span key={width} className={`block h-2 rounded-1 bg-active ${width}`} />
          ))}
        </div>
      ))}
    </div>
  );
}
