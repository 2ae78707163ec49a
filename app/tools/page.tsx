import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { FACETS_KEY } from "@/components/list/filters/facets-key.ts";
import { queryOf } from "@/components/overview/place.ts";
import { Header } from "@/components/shell/header.tsx";
import { ToolList } from "@/components/tools/tool-list.tsx";
import { toToolsAnswer } from "@/lib/api/operations/overview/overview-answer.ts";
import { servicesFor } from "../services-for.ts";
import { choicesOf, placeOf, type SearchParams } from "./choices.ts";
import "@/components/overview/overview.css";
import "@/components/tools/tools.css";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("overview"))("tools.title") };
}

/** All tools that agents call. */
export default async function ToolsPage({ searchParams }: { searchParams: SearchParams }) {
  const place = placeOf(await searchParams);
  const query = queryOf(place, Date.now());
  const { rollup, conversations } = await servicesFor("read");
  const [tools, overview, facets] = await Promise.all([
    rollup.tools(query),
    rollup.overview(query, {}),
    conversations.facets(),
  ]);
  const queries = new QueryClient();
  queries.setQueryData(FACETS_KEY, facets);
  return (
    <HydrationBoundary state={dehydrate(queries)}>
      <div className="grid h-page grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto]">
        <Header current="tools" />
        <ToolList calls={toToolsAnswer(tools, query)} place={place} choices={choicesOf(overview)} />
      </div>
    </HydrationBoundary>
  );
}
