import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { FACETS_KEY } from "@/components/list/filters/facets-key.ts";
import { Overview } from "@/components/overview/overview.tsx";
import { parsePlace, queryOf } from "@/components/overview/place.ts";
import { Header } from "@/components/shell/header.tsx";
import { toOverviewAnswer } from "@/lib/api/operations/overview/overview-answer.ts";
import { servicesFor } from "../services-for.ts";
import "@/components/overview/overview.css";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("overview"))("title") };
}

interface OverviewPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** What all conversations add up to. */
export default async function OverviewPage({ searchParams }: OverviewPageProps) {
  const given = Object.entries(await searchParams).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value]] : [],
  );
  const place = parsePlace(new URLSearchParams(given));
  const { rollup, prices, conversations } = await servicesFor("read");
  const [overview, facets] = await Promise.all([
    rollup.overview(queryOf(place, Date.now()), prices),
    conversations.facets(),
  ]);
  const queries = new QueryClient();
  queries.setQueryData(FACETS_KEY, facets);
  return (
    <HydrationBoundary state={dehydrate(queries)}>
      <div className="grid h-page grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto]">
        <Header current="overview" />
        <Overview place={place} initial={toOverviewAnswer(overview)} />
      </div>
    </HydrationBoundary>
  );
}
