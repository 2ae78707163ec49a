import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { cookies, headers } from "next/headers";
import { getTranslations } from "next-intl/server";
import { ConversationList } from "@/components/list/conversation-list.tsx";
import { conversationsKey, fromHead, PAGE_SIZE } from "@/components/list/conversation-pages.ts";
import { FACETS_KEY } from "@/components/list/filters/facets-key.ts";
import { isFiltered, type ListState, parseFilters, toListQuery } from "@/components/list/filters/filters.ts";
import { NowProvider } from "@/components/list/now.tsx";
import { Header } from "@/components/shell/header.tsx";
import { isFresh } from "@/components/welcome/fresh.ts";
import { parseProgress, WELCOME_COOKIE } from "@/components/welcome/progress.ts";
import { WelcomeBanner } from "@/components/welcome/welcome-banner.tsx";
import { readListQuery } from "@/lib/api/operations/conversations/list-conversations.ts";
import { requesterOf } from "@/lib/api/request/requester.ts";
import { servicesFor } from "./services-for.ts";
import "@/components/list/list.css";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("list"))("caption") };
}

/** Prefetched query data, and whether the server has nothing but the demo. */
async function readFirstPage(filters: ListState, now: number) {
  const { conversations } = await servicesFor("read");
  const { caller } = requesterOf(await headers());
  const queries = new QueryClient();
  // Days begin in the time zone of the browser.
  const hasDays = filters.from !== "" || filters.to !== "";
  const [head, facets] = await Promise.all([
    hasDays ? null : conversations.list({ ...readListQuery(toListQuery(filters, now), caller), limit: PAGE_SIZE }),
    conversations.facets(),
  ]);
  if (head) queries.setQueryData(conversationsKey(filters), fromHead(head));
  queries.setQueryData(FACETS_KEY, facets);
  return { state: dehydrate(queries), fresh: head !== null && !isFiltered(filters) && isFresh(head) };
}

interface ConversationsPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The list of conversations (C1). */
export default async function ConversationsPage({ searchParams }: ConversationsPageProps) {
  const now = Date.now();
  const given = Object.entries(await searchParams).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value]] : [],
  );
  const filters = parseFilters(new URLSearchParams(given));
  const [{ state, fresh }, head, jar] = await Promise.all([readFirstPage(filters, now), headers(), cookies()]);
  const progress = parseProgress(jar.get(WELCOME_COOKIE)?.value);
  return (
    // Inside the boundary, because the header needs the prefetched facets.
    <HydrationBoundary state={state}>
      <div className="grid h-page grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto]">
        <div>
          <Header current="conversations" />
          {fresh && !progress.hidden && <WelcomeBanner progress={progress} />}
        </div>
        <NowProvider initial={now}>
          <ConversationList origin={`http://${head.get("host")}`} />
        </NowProvider>
      </div>
    </HydrationBoundary>
  );
}
