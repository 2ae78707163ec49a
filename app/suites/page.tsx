import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { SuiteList } from "@/components/suites/suite-list.tsx";
import { SUITES_KEY } from "@/components/suites/suites-key.ts";
import { PageHeader } from "../page-header.tsx";
import { servicesFor } from "../services-for.ts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("suites"))("title") };
}

/** All suites of recorded sessions. */
export default async function SuitesPage() {
  const { suites } = await servicesFor("read");
  const queries = new QueryClient();
  queries.setQueryData(SUITES_KEY, await suites.list());
  return (
    <HydrationBoundary state={dehydrate(queries)}>
      <div className="grid h-page grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)]">
        <PageHeader current="suites" />
        <SuiteList />
      </div>
    </HydrationBoundary>
  );
}
