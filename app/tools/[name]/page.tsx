import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { FACETS_KEY } from "@/components/list/filters/facets-key.ts";
import { queryOf } from "@/components/overview/place.ts";
import { Header } from "@/components/shell/header.tsx";
import { ToolPage } from "@/components/tools/tool-page.tsx";
import { toToolAnswer } from "@/lib/api/operations/overview/overview-answer.ts";
import { servicesFor } from "../../services-for.ts";
import { choicesOf, placeOf, type SearchParams } from "../choices.ts";
import "@/components/overview/overview.css";
import "@/components/tools/tools.css";

interface ToolReportPageProps {
  params: Promise<{ name: string }>;
  searchParams: SearchParams;
}

export async function generateMetadata({ params }: ToolReportPageProps): Promise<Metadata> {
  return { title: decodeURIComponent((await params).name) };
}

/** All calls of one tool. */
export default async function ToolReportPage({ params, searchParams }: ToolReportPageProps) {
  const name = decodeURIComponent((await params).name);
  const place = placeOf(await searchParams);
  const query = queryOf(place, Date.now());
  const { rollup, conversations } = await servicesFor("read");
  const [report, overview, facets] = await Promise.all([
    rollup.tool(name, query),
    rollup.overview(query, {}),
    conversations.facets(),
  ]);
  if (!report) notFound();
  const queries = new QueryClient();
  queries.setQueryData(FACETS_KEY, facets);
  return (
    <HydrationBoundary state={dehydrate(queries)}>
      <div className="grid h-page grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto]">
        <Header current="tools" />
        <ToolPage report={toToolAnswer(report)} place={place} choices={choicesOf(overview)} />
      </div>
    </HydrationBoundary>
  );
}
