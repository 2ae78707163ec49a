import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { headers } from "next/headers";
import { getTranslations } from "next-intl/server";
import { ConversationList } from "@/components/list/conversation-list.tsx";
import { conversationsKey, fromHead, PAGE_SIZE } from "@/components/list/conversation-pages.ts";
import { FACETS_KEY } from "@/components/list/filters/facets-key.ts";
import { type Filters, parseFilters, toQuery } from "@/components/list/filters/filters.ts";
import { NowProvider } from "@/components/list/now.tsx";
import { Header } from "@/components/shell/header.tsx";
import { listQuery } from "@/lib/api/operations/conversations/list-query.ts";
import { requesterOf } from "@/lib/api/requester.ts";
import { parseScoreFilter } from "@/lib/scores/score.ts";
import { servicesFor } from "./services-for.ts";
import "@/components/list/list.css";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("list"))("caption") };
}

/** Prefetched query data. */
async function readFirstPage(filters: Filters, now: number) {
  const { conversations } = await servicesFor("read");
  const { caller } = requesterOf(await headers());
  const { longer_than, score, ...query } = toQuery(filters, now);
  const asked = {
    ...query,
    longer_than: longer_than === undefined ? undefined : Number(longer_than),
    score: (score && parseScoreFilter(score)) || undefined,
  };
  const [head, facets] = await Promise.all([
    conversations.list({ ...listQuery(asked, caller), limit: PAGE_SIZE }),
    conversations.facets(),
  ]);
  const queries = new QueryClient();
  queries.setQueryData(conversationsKey(filters), fromHead(head));
  queries.setQueryData(FACETS_KEY, facets);
  return dehydrate(queries);
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
  const [state, head] = await Promise.all([readFirstPage(filters, now), headers()]);
  return (
    // Inside the boundary, because the header needs the prefetched facets.
    <HydrationBoundary state={state}>
      <div className="grid h-page grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto]">
        <Header current="conversations" />
        <NowProvider initial={now}>
          <ConversationList origin={`http://${head.get("host")}`} />
        </NowProvider>
      </div>
    </HydrationBoundary>
  );
}
