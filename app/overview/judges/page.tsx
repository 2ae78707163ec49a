import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Judges } from "@/components/judges/judges.tsx";
import { FACETS_KEY } from "@/components/list/filters/facets-key.ts";
import { Header } from "@/components/shell/header.tsx";
import { servicesFor } from "../../services-for.ts";
import "@/components/overview/overview.css";
import "@/components/tools/tools.css";
import "@/components/judges/judges.css";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("judges"))("title") };
}

/** The models that score turns. */
export default async function JudgesPage() {
  const { conversations } = await servicesFor("read");
  const queries = new QueryClient();
  queries.setQueryData(FACETS_KEY, await conversations.facets());
  return (
    <HydrationBoundary state={dehydrate(queries)}>
      <div className="grid h-page grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto]">
        <Header current="overview" />
        <Judges />
      </div>
    </HydrationBoundary>
  );
}
