import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { AdminFrame } from "@/components/admin/admin-frame.tsx";
import { Audit } from "@/components/audit/audit.tsx";
import { auditKey, PAGE_SIZE } from "@/components/audit/audit-pages.ts";
import { type Filters, parseFilters, toQuery } from "@/components/audit/filters.ts";
import type { Services } from "@/lib/server/services.ts";
import { servicesFor } from "../../services-for.ts";
import "@/components/audit/audit.css";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("audit"))("title") };
}

/** Prefetched query data. Dates depend on the reader's time zone, which is unknown here. */
async function readFirstPage(audit: Services["audit"], filters: Filters) {
  const queries = new QueryClient();
  if (!filters.from && !filters.to) {
    const head = await audit.list({ ...toQuery(filters), limit: PAGE_SIZE });
    queries.setQueryData(auditKey(filters), { pages: [head], pageParams: [null] });
  }
  return dehydrate(queries);
}

interface AuditPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The Audit log page. */
export default async function AuditPage({ searchParams }: AuditPageProps) {
  const given = Object.entries(await searchParams).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value]] : [],
  );
  const filters = parseFilters(new URLSearchParams(given));
  const { audit } = await servicesFor("admin");
  const [state, actors, t] = await Promise.all([
    readFirstPage(audit, filters),
    audit.actors(),
    getTranslations("audit"),
  ]);
  return (
    <AdminFrame current="audit" title={t("title")} intro={t("intro")}>
      <HydrationBoundary state={state}>
        <Audit actors={actors} />
      </HydrationBoundary>
    </AdminFrame>
  );
}
