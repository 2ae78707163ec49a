"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { InboxTabs } from "@/components/approvals/inbox/inbox-tabs.tsx";
import { useFocusAfter } from "@/components/approvals/inbox/use-focus-after.ts";
import { withPlace } from "@/components/approvals/place.ts";
import { callApi } from "@/components/client/api.ts";
import { useLiveRefresh } from "@/components/client/use-live-refresh.ts";
import { ShortcutFooter } from "@/components/keys/shortcut-footer.tsx";
import { listMoves, useShortcuts } from "@/components/keys/use-shortcuts.ts";
import { OfflineBanner } from "@/components/list/offline-banner.tsx";
import { Button } from "@/components/ui/button.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import type { ListedAlert, Page } from "@/lib/api/shapes.ts";
import { AlertItem, alertLinkId } from "./alert-item.tsx";
import { ALERTS_KEY, type AlertPages, alertsKey, PAGE_SIZE, type Shown } from "./alert-pages.ts";

/** The list's heading, which is focused when no alert is left. */
const HEADING_ID = "alerts-heading";

/** The inbox of alerts (D9), beside that of approvals. */
export function Alerts({ shown }: { shown: Shown }) {
  const t = useTranslations("alerts");
  const router = useRouter();
  const query = useAlerts(shown);
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  const focus = useFocusAfter();
  useLiveAlerts(items);

  const focused = () => document.activeElement?.closest("[data-alert-item]") ?? null;
  const move = (by: number) => {
    const at = items.findIndex(({ id }) => focused()?.contains(document.getElementById(alertLinkId(id))));
    const to = Math.max(0, Math.min(items.length - 1, at < 0 ? 0 : at + by));
    const item = items[to];
    if (item) document.getElementById(alertLinkId(item.id))?.focus();
  };
  useShortcuts({
    ...listMoves(move),
    studio: () => focused()?.querySelector<HTMLElement>("[data-alert]")?.click(),
    takeOver: {
      about: items.map(({ id }) => id).join(" "),
      act: () => focused()?.querySelector<HTMLElement>("[data-take-over] button")?.click(),
    },
  });

  const onClosed = (item: ListedAlert) => {
    const at = items.indexOf(item);
    const isOther = ({ conversation_id }: ListedAlert) => conversation_id !== item.conversation_id;
    const next = items.slice(at).find(isOther) ?? items.slice(0, at).findLast(isOther);
    focus(...(shown === "all" ? [alertLinkId(item.id)] : next ? [alertLinkId(next.id)] : []), HEADING_ID);
  };
  return (
    <>
      <main id="main" tabIndex={-1} className="flex min-h-0 flex-col outline-none">
        <h1 className="sr-only">{t("title")}</h1>
        <OfflineBanner />
        <InboxTabs
          current="alerts"
          onShow={(status) => router.push(`/approvals${withPlace(new URLSearchParams(), { status, selected: null })}`)}
        />
        <div className="min-h-0 flex-1 overflow-y-auto bg-canvas">
          <section aria-labelledby={HEADING_ID} className="flex max-w-220 flex-col gap-2 px-3 py-3">
            <div className="alerts-shown flex items-center gap-2">
              <h2 id={HEADING_ID} tabIndex={-1} className="sr-only">
                {t(`list.${shown}`)}
              </h2>
              <Segmented
                label={t("show")}
                value={shown}
                options={[
                  { value: "open", label: t("open") },
                  { value: "all", label: t("all") },
                ]}
                onChange={(to) => router.replace(to === "all" ? "?status=all" : "?")}
              />
            </div>
            {items.length === 0 ? (
              <NoAlerts shown={shown} query={query} />
            ) : (
              <ul aria-label={t(`list.${shown}`)} className="flex flex-col gap-2">
                {items.map((item) => (
                  <li key={item.id} data-alert-item>
                    <AlertItem item={item} onClosed={onClosed} />
                  </li>
                ))}
              </ul>
            )}
            {query.hasNextPage && (
              <Button
                disabled={query.isFetchingNextPage}
                onClick={() => void query.fetchNextPage()}
                className="self-center"
              >
                {t("more")}
              </Button>
            )}
            {query.isFetchNextPageError && (
              <p role="alert" className="self-center text-st-failed">
                {t("moreFailed")}
              </p>
            )}
          </section>
        </div>
      </main>
      <AlertsFoot count={items.length} />
    </>
  );
}

/** The empty state: no alerts, loading, or a loading error. */
function NoAlerts({ shown, query }: { shown: Shown; query: ReturnType<typeof useAlerts> }) {
  const t = useTranslations("alerts");
  if (query.isPending)
    return <div aria-hidden className="h-28 animate-pulse-soft rounded-2 border border-line bg-active" />;
  if (query.error)
    return (
      <EmptyState
        icon="unreachable"
        title={t("failed")}
        actions={<Button onClick={() => void query.refetch()}>{t("retry")}</Button>}
      >
        {query.error.message}
      </EmptyState>
    );
  return (
    <EmptyState icon="check" title={t(`empty.${shown}.title`)}>
      {t(`empty.${shown}.text`)}
    </EmptyState>
  );
}

/** The footer: keyboard shortcuts, and how many alerts are shown. */
function AlertsFoot({ count }: { count: number }) {
  const t = useTranslations("alerts");
  return <ShortcutFooter page="alerts">{t("shown", { count })}</ShortcutFooter>;
}

/** Alerts, newest first, page by page. */
function useAlerts(shown: Shown) {
  return useInfiniteQuery<Page<ListedAlert>, Error, AlertPages, ReturnType<typeof alertsKey>, string | null>({
    queryKey: alertsKey(shown),
    queryFn: ({ pageParam, signal }) =>
      callApi("/api/alerts", { query: { status: shown, cursor: pageParam, limit: PAGE_SIZE }, signal }),
    initialPageParam: null,
    getNextPageParam: ({ next }) => next,
    // Invalidated by the stream (use-live-alerts.ts).
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Minimum time between two refreshes, ms. */
const PACE = 400;

/** Events that change a listed alert: takeover, title, and run status. */
const CHANGES = /^(conversation\.|run\.(started|resumed|finished|failed|cancelled)$)/;

/** Keeps the list of alerts up to date. */
function useLiveAlerts(items: readonly ListedAlert[]): void {
  useLiveRefresh({
    keys: [ALERTS_KEY],
    pace: PACE,
    concerns: ({ type, conversation_id }) =>
      type === "manager.alerted" ||
      (CHANGES.test(type) && items.some((item) => item.conversation_id === conversation_id)),
  });
}
