import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { AgentsBrowser } from "@/components/agents/agents-browser.tsx";
import {
  AGENTS_KEY,
  ENTRIES_PAGE,
  entriesKey,
  HISTORY_PAGE,
  historyKey,
  valueKey,
} from "@/components/agents/queries.ts";
import { type AgentSelection, parseSelection } from "@/components/agents/selection.ts";
import { NowProvider } from "@/components/list/now.tsx";
import { parsePlace, queryOf } from "@/components/overview/place.ts";
import { PageHeader } from "../page-header.tsx";
import { servicesFor } from "../services-for.ts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("agents"))("title") };
}

/** Prefetched query data. */
async function readFirst({ agent, key, version }: AgentSelection) {
  const { agents, agentStates } = await servicesFor("read");
  const queries = new QueryClient();
  queries.setQueryData(AGENTS_KEY, agents.list());
  queries.setQueryData(entriesKey(null), onePage(await agentStates.list({ limit: ENTRIES_PAGE })));
  if (agent !== null && agents.find(agent))
    queries.setQueryData(entriesKey(agent), onePage(await agentStates.list({ agentId: agent, limit: ENTRIES_PAGE })));
  if (agent !== null && key !== null) {
    const history = await agentStates.history(agent, key, { limit: HISTORY_PAGE });
    const shown = version ?? history.items[0]?.version;
    queries.setQueryData(historyKey(agent, key), onePage(history));
    if (shown !== undefined) {
      const value = (await agentStates.version(agent, key, shown))?.value;
      queries.setQueryData(valueKey(agent, key, shown), { value });
    }
  }
  return dehydrate(queries);
}

/** An infinite query with its first page. */
function onePage<T>(page: T) {
  return { pages: [page], pageParams: [""] };
}

interface AgentsPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The Agents page (C8). */
export default async function AgentsPage({ searchParams }: AgentsPageProps) {
  const given = Object.entries(await searchParams).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value]] : [],
  );
  const { rollup } = await servicesFor("read");
  const [state, { where }] = await Promise.all([
    readFirst(parseSelection(new URLSearchParams(given))),
    rollup.overview(queryOf(parsePlace(new URLSearchParams()), Date.now()), {}),
  ]);
  const week = where.agent.map(({ name, count, failed, p95 }) => ({ name, count, failed, p95 }));
  return (
    <div className="grid h-page grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto]">
      <PageHeader current="agents" />
      <HydrationBoundary state={state}>
        <NowProvider initial={Date.now()}>
          <AgentsBrowser week={week} />
        </NowProvider>
      </HydrationBoundary>
    </div>
  );
}
