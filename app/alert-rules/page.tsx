import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import type { KnownRules } from "@/components/alert-rules/queries.ts";
import { RuleList } from "@/components/alert-rules/rule-list.tsx";
import { RULES_KEY } from "@/components/alert-rules/rules-key.ts";
import { PageHeader } from "../page-header.tsx";
import { servicesFor } from "../services-for.ts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("rules"))("title") };
}

/** All alert rules. */
export default async function AlertRulesPage() {
  const { alertRules, notices } = await servicesFor("read");
  const queries = new QueryClient();
  queries.setQueryData<KnownRules>(RULES_KEY, { items: await alertRules.list(), channels: notices.channels });
  return (
    <HydrationBoundary state={dehydrate(queries)}>
      <div className="grid h-page grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)]">
        <PageHeader current="rules" />
        <RuleList />
      </div>
    </HydrationBoundary>
  );
}
