import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { FACETS_KEY } from "@/components/list/filters/facets-key.ts";
import { parsePlace, queryOf } from "@/components/overview/place.ts";
import { Header } from "@/components/shell/header.tsx";
import { parseVersions } from "@/components/versions/place.ts";
import { Versions } from "@/components/versions/versions-page.tsx";
import { toVersionsAnswer } from "@/lib/api/operations/overview/overview-answer.ts";
import { servicesFor } from "../../services-for.ts";
import "@/components/overview/overview.css";
import "@/components/tools/tools.css";
import "@/components/versions/versions.css";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("overview"))("versions.title") };
}

interface VersionsPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** Two versions of an agent. */
export default async function VersionsPage({ searchParams }: VersionsPageProps) {
  const given = Object.entries(await searchParams).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value]] : [],
  );
  const place = parseVersions(new URLSearchParams(given));
  const { agent, before, after, period } = place;
  const { rollup, prices, conversations } = await servicesFor("read");
  const { from, to } = queryOf({ ...parsePlace(new URLSearchParams()), period }, Date.now());
  const query = { agent, before: before || undefined, after: after || undefined, from, to };
  const [answer, facets] = await Promise.all([
    agent === "" ? null : rollup.versions(query, prices),
    conversations.facets(),
  ]);
  const queries = new QueryClient();
  queries.setQueryData(FACETS_KEY, facets);
  return (
    <HydrationBoundary state={dehydrate(queries)}>
      <div className="grid h-page grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto]">
        <Header current="overview" />
        <Versions answer={answer && toVersionsAnswer(answer)} place={place} />
      </div>
    </HydrationBoundary>
  );
}
