"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { actorName } from "@/components/agents/actor-name.ts";
import { callApi } from "@/components/client/api.ts";
import { ShortValue } from "@/components/format/short-value.tsx";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import type { PathHistory as PathHistoryPage } from "@/lib/api/shapes.ts";
import { type HistoryLine, historyLines } from "./history-lines.ts";

interface PathHistoryProps {
  /** `†state.deal.amount`. */
  path: string;
  instance: string;
}

/** All writes and reads of a path in the session, each with a link to its step (C6). */
export function PathHistory({ path, instance }: PathHistoryProps) {
  const t = useTranslations("inspector.history");
  const history = usePathHistory(path, instance);
  const pages = history.data?.pages;
  const lines = useMemo(() => historyLines((pages ?? []).flatMap(({ items }) => items)), [pages]);
  const at = useStudio((state) => state.at);
  // The newest entry up to the current step.
  const here = lines.findLast(({ seq }) => seq <= at)?.seq;
  return (
    <section aria-label={t("title")} className="mt-1.5 border-line border-t pt-1.5">
      <h3 className="flex min-h-5 items-center gap-1.5 font-semibold text-fg">
        {t("title")}
        {lines.length > 0 && (
          <span className="font-normal text-11 text-fg-3 tabular-nums">
            {t("counts", {
              writes: lines.filter(({ kind }) => kind === "written").length,
              reads: lines.filter(({ kind }) => kind === "read").length,
            })}
          </span>
        )}
      </h3>
      {history.isPending && <p className="text-fg-3">{t("loading")}</p>}
      {history.isError && (
        <p role="alert" className="flex items-center gap-2 text-fg-2">
          {history.error.message}
          <Button onClick={() => void history.refetch()}>{t("retry")}</Button>
        </p>
      )}
      {history.isSuccess && lines.length === 0 && !history.hasNextPage && <p className="text-fg-3">{t("empty")}</p>}
      <ol>
        {lines.map((line) => (
          <Line
            key={`${line.seq}${line.path}`}
            line={line}
            own={path}
            isHere={line.seq === here}
            isAhead={line.seq > at}
          />
        ))}
      </ol>
      {history.hasNextPage && (
        <Button disabled={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()} className="mt-1">
          {t("more")}
        </Button>
      )}
    </section>
  );
}

interface LineProps {
  line: HistoryLine;
  /** The path. */
  own: string;
  isHere: boolean;
  /** It is after the current step. */
  isAhead: boolean;
}

function Line({ line, own, isHere, isAhead }: LineProps) {
  const t = useTranslations("inspector.history");
  const jump = useStudio((state) => state.jump);
  const who = line.tool ?? line.call_id ?? actorName(line.actor) ?? t("nobody");
  return (
    <li>
      <button
        type="button"
        onClick={() => jump(line.seq)}
        aria-current={isHere ? "step" : undefined}
        title={t("goTo", { step: line.seq })}
        className={`-mx-1.5 flex min-h-6 w-[calc(100%+12px)] items-center gap-1.5 rounded-1 px-1.5 text-left whitespace-nowrap hover:bg-hover aria-[current=step]:bg-accent-soft ${isAhead ? "text-fg-3" : "text-fg-2"}`}
      >
        <span className="w-10 flex-none text-right text-11 tabular-nums">{line.seq}</span>
        <Icon name={line.kind === "written" ? "write" : "read"} size={14} className="flex-none" />
        <span className="sr-only">{t(line.kind)}</span>
        <span className={`max-w-[40%] flex-none truncate font-medium ${isAhead ? "" : "text-fg"}`}>{who}</span>
        {line.path !== own && <span className="min-w-0 shrink-99 truncate font-mono text-11">{line.path}</span>}
        <span className="ml-auto min-w-0 truncate pl-2 font-mono text-11">
          <Delta line={line} />
        </span>
      </button>
    </li>
  );
}

function Delta({ line: { value, before, kindOfWrite } }: { line: HistoryLine }) {
  const t = useTranslations("inspector.history");
  if (kindOfWrite === null || value === undefined) return null;
  if (kindOfWrite === "same")
    return (
      <>
        <ShortValue value={value} /> <span className="font-sans text-fg-3">{t("same")}</span>
      </>
    );
  return (
    <>
      {before !== undefined && (
        <>
          <del className="text-fg-3">
            <ShortValue value={before} />
          </del>
          <span className="text-fg-3"> → </span>
        </>
      )}
      <ins className={`no-underline ${kindOfWrite === "add" ? "text-add" : "text-chg"}`}>
        <ShortValue value={value} />
      </ins>
    </>
  );
}

const PAGE = 100;

/** The writes and reads of a state path, oldest first, page by page (C6). */
function usePathHistory(path: string, instance: string) {
  const conversationId = useStudio((state) => state.conversationId);
  // Recorded steps do not change: only a running session has new ones.
  const last = useStudio((state) => state.last);
  return useInfiniteQuery({
    queryKey: ["state-history", conversationId, path, instance, last],
    queryFn: ({ pageParam, signal }) => {
      // The empty instance is a value, which `withQuery` would leave out.
      const query = new URLSearchParams({
        path,
        instance,
        limit: String(PAGE),
        ...(pageParam && { cursor: pageParam }),
      });
      const address = `/api/conversations/${encodeURIComponent(conversationId)}/state-history?${query}`;
      return callApi<PathHistoryPage>(address, { signal });
    },
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    retry: false,
  });
}
