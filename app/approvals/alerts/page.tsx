import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { alertsKey, PAGE_SIZE, parseShown, type Shown } from "@/components/alerts/alert-pages.ts";
import { Alerts } from "@/components/alerts/alerts.tsx";
import { FACETS_KEY } from "@/components/list/filters/facets-key.ts";
import { NowProvider } from "@/components/list/now.tsx";
import { Header } from "@/components/shell/header.tsx";
import { servicesFor } from "../../services-for.ts";
import "@/components/approvals/approvals.css";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("alerts"))("title") };
}

/** Prefetched query data. */
async function readFirstPage(shown: Shown) {
  const { alerts, conversations } = await servicesFor("read");
  const [head, facets] = await Promise.all([alerts.list({ status: shown, limit: PAGE_SIZE }), conversations.facets()]);
  const queries = new QueryClient();
  queries.setQueryData(alertsKey(shown), { pages: [head], pageParams: [null] });
  queries.setQueryData(FACETS_KEY, facets);
  return dehydrate(queries);
}

interface AlertsPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The Alerts page (D9). */
export default async function AlertsPage({ searchParams }: AlertsPageProps) {
  const now = Date.now();
  const shown = parseShown((await searchParams).status);
  const state = await readFirstPage(shown);
  return (
    <HydrationBoundary state={state}>
      <div className="grid h-page grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto]">
        <Header current="approvals" />
        <NowProvider initial={now}>
          <Alerts shown={shown} />
        </NowProvider>
      </div>
    </HydrationBoundary>
  );
}
