"use client";

import { useTranslations } from "next-intl";
import { useEffect, useMemo } from "react";
import { Button } from "@/components/ui/button.tsx";
import { SearchField } from "@/components/ui/search-field.tsx";
import { entriesOf } from "../entry-pages.ts";
import { useAgentSelection } from "../use-agent-selection.ts";
import { useAgents } from "../use-agents.ts";
import { useEntries } from "../use-entries.ts";
import { NewKey } from "./new-key.tsx";
import { SidebarList } from "./sidebar-list.tsx";
import { sidebarRows } from "./sidebar-rows.ts";

/** All agents and keys, with a filter. */
export function Sidebar() {
  const t = useTranslations("agents.list");
  const [{ agent, q }, select] = useAgentSelection();
  const agents = useAgents();
  const running = agents.data ?? NONE;
  const isRunning = running.some(({ id }) => id === agent);
  const entries = useEntries(null);
  const unfolded = useEntries(isRunning ? agent : null);
  const rows = useMemo(
    () =>
      sidebarRows({
        running,
        unfolded: { agent, entries: isRunning && unfolded.data ? entriesOf(unfolded.data) : [] },
        entries: entries.data ? entriesOf(entries.data) : [],
        q,
      }),
    [running, agent, isRunning, unfolded.data, entries.data, q],
  );
  const failed = agents.error ?? entries.error;

  return (
    <nav aria-label={t("label")} className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface">
      <div className="flex flex-none items-center gap-1.5 border-line border-b p-2">
        <SearchField
          label={t("filter")}
          clear={t("clear")}
          value={q}
          onChange={(text) => select({ q: text })}
          iconSize={14}
          className="h-[var(--control)] min-w-0 flex-1 gap-1.5 pr-1 pl-1.75"
        />
        <NewKey />
      </div>
      {failed && (
        <div role="alert" className="flex flex-col items-start gap-2 border-line border-b p-3 text-fg-2">
          <p className="text-pretty">
            <span className="font-medium text-st-failed">{t("failed")}</span> {failed.message}
          </p>
          <Button
            onClick={() => {
              void agents.refetch();
              void entries.refetch();
            }}
          >
            {t("retry")}
          </Button>
        </div>
      )}
      {rows.length > 0 ? (
        <SidebarList
          rows={rows}
          wantsMore={entries.hasNextPage && !entries.isFetching && !entries.isFetchNextPageError}
          onMore={() => void entries.fetchNextPage()}
        />
      ) : (
        !failed && <Nothing loading={agents.isPending || entries.isPending || entries.hasNextPage} q={q} />
      )}
      {rows.length === 0 && entries.hasNextPage && <LoadRest query={entries} />}
      {entries.isFetchNextPageError && (
        <p role="alert" className="flex items-center gap-2 border-line border-t px-3 py-2 text-fg-2">
          {t("moreFailed")}
          <Button onClick={() => void entries.fetchNextPage()}>{t("retry")}</Button>
        </p>
      )}
    </nav>
  );
}

const NONE: never[] = [];

/** Without a match in the loaded pages, the next ones are fetched. */
function LoadRest({
  query: { isFetching, isFetchNextPageError, fetchNextPage },
}: {
  query: ReturnType<typeof useEntries>;
}) {
  // The outside system is the server.
  useEffect(() => {
    if (!isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [isFetching, isFetchNextPageError, fetchNextPage]);
  return null;
}

function Nothing({ loading, q }: { loading: boolean; q: string }) {
  const t = useTranslations("agents.list");
  if (loading) return <Skeleton />;
  return <p className="p-3 text-pretty text-fg-3">{q === "" ? t("empty") : t("none", { q })}</p>;
}

/** A skeleton while the list loads. */
function Skeleton() {
  return (
    <div aria-hidden className="flex animate-pulse-soft flex-col gap-3 p-3">
      {["w-2/3", "w-1/2", "w-3/5", "w-2/5", "w-1/2", "w-2/3", "w-1/3", "w-3/5"].map((width, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change
        <span key={index} className={`h-2 rounded-1 bg-active ${width}`} />
      ))}
    </div>
  );
}
