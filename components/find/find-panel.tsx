"use client";

import "./find.css";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useEffect, useLayoutEffect, useState } from "react";
import { callApi } from "@/components/client/api.ts";
import { releaseKeys } from "@/components/keys/keyboard-capture.ts";
import { useStudio, useStudioStore } from "@/components/studio/use-studio.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import { useListbox } from "@/components/ui/use-listbox.ts";
import { useDebounced } from "@/components/workbench/use-debounced.ts";
import type { SessionSearch } from "@/lib/api/shapes.ts";
import { FIND_WHERE, type FindWhere } from "@/lib/session/find/find-in-event.ts";
import { FoundStep } from "./found-step.tsx";
import { useFind } from "./use-find.ts";
import { useHighlights } from "./use-highlights.ts";

/** The panel's text field. */
export const FIND_FIELD = "find-in-session";

/** The delay before a search, ms: long enough to type a word, short enough to feel immediate. */
const REST = 200;

/** Where hits are highlighted: the thread and the state. */
const MARKED = "[data-found]";

/** The search within a conversation; nothing while it is closed. */
export function FindPanel() {
  const [find, setFind] = useFind();
  return find === null ? null : <Panel find={find} onFind={setFind} />;
}

function Panel({ find, onFind }: { find: string; onFind: (text: string | null) => void }) {
  const t = useTranslations("find");
  const store = useStudioStore();
  const conversationId = useStudio((state) => state.conversationId);
  const at = useStudio((state) => state.at);
  const [where, setWhere] = useState<FindWhere | null>(null);
  // The address follows the field with a delay; nothing else changes it while the panel is open.
  const [text, setText] = useState(find);
  const q = useDebounced(text.trim(), REST);
  const { items, from, hasNextPage, isFetching, error, fetchNextPage, refetch } = useConversationSearch(
    conversationId,
    q,
    where,
  );
  useHighlights(MARKED, q);
  // The outside system is the keyboard: keys typed while the panel opened are added before the next one.
  useLayoutEffect(() => {
    const early = releaseKeys();
    if (early === "") return;
    setText(early);
    onFind(early);
  }, [onFind]);
  const show = (index: number) => {
    const hit = items[index];
    if (hit) store.getState().jump(hit.seq);
  };
  const list = useListbox(
    items.map(({ seq }) => String(seq)),
    show,
  );
  const close = () => onFind(null);
  const type = (next: string) => {
    setText(next);
    onFind(next);
    list.reset();
  };

  return (
    <search
      aria-label={t("open")}
      className="absolute top-[calc(var(--h-toolbar)+8px)] left-1/2 z-2 flex max-h-[min(560px,calc(100%-var(--h-toolbar)-16px))] w-125 max-w-[calc(100%-16px)] -translate-x-1/2 flex-col overflow-hidden rounded-3 border border-line-strong bg-raised shadow-3"
    >
      <div className="flex flex-none items-center gap-1.75 border-line border-b py-1.5 pr-1.5 pl-2.5 text-fg-3">
        <Icon name="search" />
        <input
          id={FIND_FIELD}
          // biome-ignore lint/a11y/noAutofocus: who opens the panel wants to type
          autoFocus
          type="search"
          enterKeyHint="search"
          aria-label={t("field")}
          placeholder={t("field")}
          value={text}
          {...list.field}
          onChange={({ target }) => type(target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return list.field.onKeyDown(event);
            // Escape would clear the field first.
            event.preventDefault();
            close();
          }}
          className="h-[var(--control)] min-w-0 flex-1 text-13 text-fg outline-none focus-visible:shadow-none [&::-webkit-search-cancel-button]:appearance-none"
        />
        <Button variant="ghost" square aria-label={t("close")} onClick={close}>
          <Icon name="close" size={14} />
        </Button>
      </div>
      {q !== "" && (
        <div className="flex flex-none items-center gap-2 border-line border-b px-2.5 py-1.5">
          <Segmented
            label={t("where")}
            value={where ?? "all"}
            options={(["all", ...FIND_WHERE] as const).map((value) => ({ value, label: t(`in.${value}`) }))}
            onChange={(value) => setWhere(value === "all" ? null : value)}
          />
          <span role="status" className="ml-auto text-right text-11 text-fg-3 tabular-nums">
            {isFetching && items.length === 0
              ? t("looking")
              : t(hasNextPage ? "more" : "count", { count: items.length, step: from ?? 0 })}
          </span>
        </div>
      )}
      <div
        id={list.listId}
        role="listbox"
        aria-label={t("hits")}
        className={`min-h-0 overflow-y-auto ${items.length > 0 ? "p-1" : ""}`}
      >
        {items.map((hit, index) => (
          <FoundStep
            key={hit.seq}
            id={list.optionId(index)}
            hit={hit}
            active={index === list.active}
            current={hit.seq === at}
            onChoose={() => {
              list.setActive(index);
              show(index);
            }}
          />
        ))}
      </div>
      <Foot>
        {error && items.length === 0 ? (
          <>
            <span role="alert">{error.message}</span>
            <Button onClick={() => refetch()}>{t("retry")}</Button>
          </>
        ) : hasNextPage && items.length > 0 && !isFetching ? (
          <Button onClick={() => fetchNextPage()}>{t("further")}</Button>
        ) : q === "" ? (
          t("hint")
        ) : items.length === 0 && !isFetching ? (
          t("none")
        ) : null}
      </Foot>
    </search>
  );
}

function Foot({ children }: { children: React.ReactNode }) {
  if (children === null) return null;
  return <div className="flex flex-none items-center gap-2 px-3 py-2.5 text-pretty text-fg-3">{children}</div>;
}

/** Hits per page. */
const LIMIT = 50;

/** The matching steps, newest first, page by page; typing cancels the previous search. */
function useConversationSearch(conversationId: string, q: string, where: FindWhere | null) {
  const found = useInfiniteQuery({
    queryKey: ["find", conversationId, q, where],
    queryFn: ({ pageParam, signal }) =>
      callApi<SessionSearch>(`/api/conversations/${encodeURIComponent(conversationId)}/search`, {
        query: { q, where, cursor: pageParam, limit: LIMIT },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    enabled: q !== "",
    placeholderData: keepPreviousData,
  });
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = found;
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  // A long conversation is searched in parts: the first page is filled automatically, more on request.
  const looksOn = items.length < LIMIT && hasNextPage && !isFetching && !isError;
  // The outside system is the server.
  useEffect(() => {
    if (looksOn) void fetchNextPage();
  }, [looksOn, fetchNextPage]);
  return { ...found, items: q === "" ? [] : items, from: data?.pages.at(-1)?.from ?? null };
}
