"use client";

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { isOfDefinitions, readChange } from "@/components/agents/entry-pages.ts";
import { AGENTS_KEY } from "@/components/agents/queries.ts";
import { callApi } from "@/components/client/api.ts";
import { subscribeLive } from "@/components/client/live.ts";
import { refetchAfterChange } from "@/components/client/refetch-after-change.ts";
import { throttle } from "@/components/client/throttle.ts";
import type { ListedConfirmation, Page } from "@/lib/api/shapes.ts";
import type { SessionEvent } from "@/lib/session/event.ts";
import type { Status } from "../place.ts";
import { type InboxPages, inboxKey, itemsOf, newsPage, withKnown, withNews, without } from "./inbox-pages.ts";
import { fetchPage } from "./use-inbox.ts";

/** Minimum time between two refreshes, ms: a burst of requests is one fetch. */
const PACE = 400;

/** Changes since the last refresh. */
interface Heard {
  /** The connection is new, so anything loaded may be stale. */
  all: boolean;
  /** There are new approvals. */
  news: boolean;
  /** Conversations with a new decision. */
  decidedIn: Set<string>;
  /** Conversations with any event: an agent may have continued there. */
  movedOn: Set<string>;
}

const EMPTY: InboxPages = { pages: [], pageParams: [] };

const nothing = (): Heard => ({ all: false, news: false, decidedIn: new Set(), movedOn: new Set() });

/**
 * Keeps the inbox up to date. Decisions update their rows; new approvals are added without moving the others. `arrived`
 * has the ids of those that were not seen yet, until `see` is called.
 */
export function useLiveInbox(status: Status) {
  const queries = useQueryClient();
  const [arrived, setArrived] = useState<readonly string[]>([]);

  // The outside system is the stream.
  useEffect(() => {
    const gone = new AbortController();
    let heard = nothing();
    let looking = false;
    const listed = () => itemsOf(queries.getQueryData<InboxPages>(inboxKey(status)) ?? EMPTY);
    const mayBeAnswered = () => listed().some((item) => item.unanswered && heard.movedOn.has(item.conversation_id));
    const refresh = async () => {
      // A page that is being fetched would overwrite what is merged now.
      if (queries.isFetching({ queryKey: inboxKey(status) }) > 0) return news.call();
      const since = heard;
      heard = nothing();
      looking = true;
      try {
        const added = await bringUpToDate(queries, status, since, gone.signal);
        if (!gone.signal.aborted && added.length > 0) setArrived((before) => [...new Set([...before, ...added])]);
      } catch (error) {
        // A failed refresh: the next one refetches everything.
        heard.all = true;
        throw error;
      } finally {
        looking = false;
      }
      // The agent continued during the refresh.
      if (mayBeAnswered()) news.call();
    };
    const news = throttle(refresh, PACE);
    const onEvents = (events: SessionEvent[]) => {
      if (events.some(tellsOfDefinitions)) void refetchAfterChange(queries, AGENTS_KEY);
      const conversations = new Set(listed().map((item) => item.conversation_id));
      for (const { type, conversation_id: id } of events) {
        // A pending response may be stale, and may be about a conversation that is not listed yet.
        if (id !== null && (looking || conversations.has(id))) heard.movedOn.add(id);
        if (!type.startsWith("confirmation.")) continue;
        const isPending = type === "confirmation.requested" || type === "confirmation.partially_approved";
        heard.news ||= isPending === (status === "requested");
        if (!isPending && id !== null) heard.decidedIn.add(id);
      }
      if (events.some(({ type }) => type.startsWith("confirmation.")) || mayBeAnswered()) news.call();
    };
    const unsubscribe = subscribeLive(
      {},
      {
        onEvents,
        onConnection: (state) => {
          if (state !== "live") return;
          heard.all = true;
          news.call();
          void refetchAfterChange(queries, AGENTS_KEY);
        },
      },
    );
    return () => {
      unsubscribe();
      gone.abort();
      news.cancel();
      setArrived([]);
    };
  }, [status, queries]);

  const see = useCallback(() => setArrived((before) => (before.length === 0 ? before : [])), []);
  return { arrived, see };
}

function tellsOfDefinitions(event: SessionEvent): boolean {
  const change = readChange(event);
  return change !== null && isOfDefinitions(change);
}

/** Refetches what may have changed and merges it. Returns the new ids. */
async function bringUpToDate(
  queries: QueryClient,
  status: Status,
  { all, news, decidedIn, movedOn }: Heard,
  signal: AbortSignal,
): Promise<string[]> {
  const key = inboxKey(status);
  const change = (update: (data: InboxPages) => InboxPages) =>
    !signal.aborted && queries.setQueryData<InboxPages>(key, (data) => data && update(data));
  const loaded = queries.getQueryData<InboxPages>(key);
  if (!loaded) return [];

  const waiting = itemsOf(loaded).filter((item) => item.status === "requested");
  const unanswered = itemsOf(loaded).filter((item) => item.unanswered);
  const suspects = all
    ? [...(await absent(waiting, loaded, signal)), ...unanswered]
    : [
        ...waiting.filter(({ conversation_id }) => decidedIn.has(conversation_id)),
        ...unanswered.filter(({ conversation_id }) => movedOn.has(conversation_id)),
      ];
  const standing = await readStanding(suspects, signal);
  const known = new Set(standing.map(({ id }) => id));
  const lost = new Set(suspects.filter(({ id }) => !known.has(id)).map(({ id }) => id));
  change((data) => without(withKnown(data, standing), lost));

  const index = newsPage(loaded, status);
  if (index === null || !(all || news)) return [];
  const fresh = await fetchPage(status, loaded.pageParams[index] ?? null, signal);
  change((data) => withNews(data, status, index, fresh));
  const before = new Set(itemsOf(loaded).map(({ id }) => id));
  return fresh.items.map(({ id }) => id).filter((id) => !before.has(id));
}

/** Loaded approvals that are no longer pending: they are on none of the refetched pages. */
async function absent(
  waiting: readonly ListedConfirmation[],
  { pageParams }: InboxPages,
  signal: AbortSignal,
): Promise<ListedConfirmation[]> {
  if (waiting.length === 0) return [];
  const pages = await Promise.all(pageParams.map((cursor) => fetchPage("requested", cursor, signal)));
  const present = new Set(pages.flatMap(({ items }) => items).map(({ id }) => id));
  return waiting.filter(({ id }) => !present.has(id));
}

/** The API's maximum. */
const AT_ONCE = 200;

/** The current state of these approvals; those that the server no longer has are missing. */
async function readStanding(items: readonly ListedConfirmation[], signal: AbortSignal): Promise<ListedConfirmation[]> {
  const wanted = Map.groupBy(items, ({ conversation_id }) => conversation_id);
  const found = await Promise.all(
    [...wanted].map(([conversationId, asked]) => readConversation(conversationId, new Set(asked.map(idOf)), signal)),
  );
  return found.flat();
}

const idOf = ({ id }: ListedConfirmation) => id;

/** Reads a conversation's confirmations until all requested ones are found. */
async function readConversation(
  conversationId: string,
  wanted: Set<string>,
  signal: AbortSignal,
): Promise<ListedConfirmation[]> {
  const found: ListedConfirmation[] = [];
  let cursor: string | null = null;
  do {
    const query = { conversation_id: conversationId, cursor, limit: AT_ONCE };
    const page: Page<ListedConfirmation> = await callApi("/api/confirmations", { query, signal });
    found.push(...page.items.filter(({ id }) => wanted.delete(id)));
    cursor = page.next;
  } while (cursor !== null && wanted.size > 0);
  return found;
}
