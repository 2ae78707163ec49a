import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { DataPage } from "@/components/data/data.tsx";
import { ERASURES_KEY, RETENTION_KEY } from "@/components/data/data-keys.ts";
import { NowProvider } from "@/components/list/now.tsx";
import { servicesFor } from "../../services-for.ts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("data"))("title") };
}

/** The Data page. */
export default async function AdminDataPage() {
  const { erasures, retention } = await servicesFor("admin");
  const queries = new QueryClient();
  const [items, state] = await Promise.all([erasures.list(), retention.state()]);
  queries.setQueryData(ERASURES_KEY, items);
  queries.setQueryData(RETENTION_KEY, state);
  return (
    <HydrationBoundary state={dehydrate(queries)}>
      <NowProvider initial={Date.now()}>
        <DataPage />
      </NowProvider>
    </HydrationBoundary>
  );
}
