import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { AGENTS_KEY } from "@/components/agents/queries.ts";
import { NowProvider } from "@/components/list/now.tsx";
import { type Place, parsePlace } from "@/components/workbench/place.ts";
import { conversationKey } from "@/components/workbench/queries.ts";
import { Workbench } from "@/components/workbench/workbench.tsx";
import { PageHeader } from "../page-header.tsx";
import { servicesFor } from "../services-for.ts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("workbench"))("title") };
}

/** Prefetched query data. */
async function readFirst({ conversation }: Place) {
  const { agents, conversations } = await servicesFor("read");
  const queries = new QueryClient();
  queries.setQueryData(AGENTS_KEY, agents.list());
  const found = conversation === null ? null : await conversations.get(conversation);
  if (found) queries.setQueryData(conversationKey(found.id), found);
  return dehydrate(queries);
}

interface PromptsPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The Prompts page (H6). */
export default async function PromptsPage({ searchParams }: PromptsPageProps) {
  const given = Object.entries(await searchParams).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value]] : [],
  );
  const state = await readFirst(parsePlace(new URLSearchParams(given)));
  return (
    <div className="grid h-page grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto]">
      <PageHeader current="prompts" />
      <HydrationBoundary state={state}>
        <NowProvider initial={Date.now()}>
          <Workbench />
        </NowProvider>
      </HydrationBoundary>
    </div>
  );
}
