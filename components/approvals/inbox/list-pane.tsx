"use client";

import { useTranslations } from "next-intl";
import { useCallback } from "react";
import { Needs } from "@/components/access/needs.tsx";
import { useMay } from "@/components/access/use-may.ts";
import type { PendingDecision } from "@/components/decision/pending.ts";
import type { ListedConfirmation } from "@/lib/api/shapes.ts";
import type { Status } from "../place.ts";
import { InboxList } from "./inbox-list.tsx";
import { InboxTabs } from "./inbox-tabs.tsx";
import { MarkAll } from "./mark-all.tsx";
import { NoItems } from "./nothing.tsx";
import { SkeletonItems } from "./skeleton-items.tsx";
import type { useInbox } from "./use-inbox.ts";
import type { useLiveInbox } from "./use-live-inbox.ts";
import type { Marks } from "./use-marks.ts";

/** The list's heading, which takes the focus when nothing is left. */
export const HEADING_ID = "approvals-heading";

interface ListPaneProps {
  status: Status;
  query: ReturnType<typeof useInbox>;
  live: ReturnType<typeof useLiveInbox>;
  items: readonly ListedConfirmation[];
  /** The one that is looked at, by its id. */
  shown: string | null;
  /** How many there are in all; null while that is unknown. */
  total: number | null;
  marks: Marks;
  /** What was decided and can still be undone, by the item's id. */
  pending: ReadonlyMap<string, PendingDecision>;
  onShow: (status: Status) => void;
  onSelect: (id: string) => void;
}

/** The tabs of the inbox and the items of one of them, or why there are none. */
export function ListPane(props: ListPaneProps) {
  const { status, query, live, items, shown, total, marks, pending, onShow, onSelect } = props;
  const t = useTranslations("approvals");
  const decides = useMay("decide");
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
          <Needs permission="decide" otherwise="nothing">
            <MarkAll marks={marks} />
          </Needs>
        )}
        <InboxList
          // The other tabs are other lists, each read from its beginning.
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
