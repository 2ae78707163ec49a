import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Compare } from "@/components/compare/compare.tsx";
import { parsePlace } from "@/components/compare/place.ts";
import { viewKey } from "@/components/compare/queries.ts";
import { NowProvider } from "@/components/list/now.tsx";
import { PageHeader } from "../page-header.tsx";
import { servicesFor } from "../services-for.ts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("compare"))("title") };
}

/** Prefetched sessions; an unknown id is reported by the page. */
async function readSides(ids: readonly (string | null)[]) {
  const queries = new QueryClient();
  const { sessions } = await servicesFor("read");
  for (const id of ids) {
    const answer = id === null ? null : await sessions.view(id, null);
    if (id !== null && answer !== null) queries.setQueryData(viewKey(id, null), JSON.parse(answer));
  }
  return dehydrate(queries);
}

interface ComparePageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The Compare page (C10). */
export default async function ComparePage({ searchParams }: ComparePageProps) {
  const given = Object.entries(await searchParams).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value]] : [],
  );
  const { a, b } = parsePlace(new URLSearchParams(given));
  return (
    <div className="grid h-page grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto]">
      <PageHeader current="compare" />
      <HydrationBoundary state={await readSides([a, b])}>
        <NowProvider initial={Date.now()}>
          <Compare />
        </NowProvider>
      </HydrationBoundary>
    </div>
  );
}
