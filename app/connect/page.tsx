import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { headers } from "next/headers";
import { getTranslations } from "next-intl/server";
import { type Arrival, arrivedBefore } from "@/components/connect/arrivals.ts";
import { IncomingEvents } from "@/components/connect/incoming-events.tsx";
import { NEWEST_KEY } from "@/components/connect/newest-arrival.ts";
import { UnreadSpans } from "@/components/connect/unread-spans.tsx";
import { Ways } from "@/components/connect/ways.tsx";
import { Link } from "@/components/ui/link.tsx";
import { PageHeader } from "../page-header.tsx";
import { servicesFor } from "../services-for.ts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("connect"))("title") };
}

/** Prefetched: the newest step of the most recently active conversation. */
async function readNewest(): Promise<Arrival | null> {
  const { conversations, events } = await servicesFor("read");
  const { items } = await conversations.list({ limit: 1 });
  const [conversation] = items;
  if (!conversation) return null;
  const [event] = await events.list(conversation.id, { after: conversation.last_seq - 1, limit: 1 });
  return event ? arrivedBefore(event) : null;
}

/** The Connect page (C11). */
export default async function ConnectPage() {
  const [t, newest, head] = await Promise.all([getTranslations("connect"), readNewest(), headers()]);
  const queries = new QueryClient();
  queries.setQueryData(NEWEST_KEY, newest);
  return (
    <div className="flex h-page flex-col">
      <PageHeader current="connect" />
      <main id="main" tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto outline-none">
        <div className="page-measure pt-6 pb-16 text-13 leading-[var(--lh-body)]">
          <h1 className="font-semibold text-20 leading-6.5 tracking-tight">{t("title")}</h1>
          <p className="mt-1 mb-5 max-w-160 text-13 text-fg-2 leading-5 text-pretty">
            {t.rich("intro", {
              link: (words) => (
                <Link href="/welcome" className="text-accent underline underline-offset-2">
                  {words}
                </Link>
              ),
            })}
          </p>
          <HydrationBoundary state={dehydrate(queries)}>
            <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
              <div className="grid min-w-0 gap-4 lg:sticky lg:top-6 lg:col-start-2 lg:row-start-1">
                <IncomingEvents />
                <UnreadSpans />
              </div>
              <div className="min-w-0 lg:col-start-1 lg:row-start-1">
                <Ways assumed={`http://${head.get("host")}`} />
              </div>
            </div>
          </HydrationBoundary>
        </div>
      </main>
    </div>
  );
}
