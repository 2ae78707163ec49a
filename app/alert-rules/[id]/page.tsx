import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { RulePage } from "@/components/alert-rules/rule-page.tsx";
import { KEPT_FIRINGS } from "@/lib/alert-rules/rule.ts";
import { PageHeader } from "../../page-header.tsx";
import { servicesFor } from "../../services-for.ts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("rules"))("title") };
}

/** An alert rule with its history. */
export default async function AlertRulePage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const { alertRules } = await servicesFor("read");
  const rule = await alertRules.get(decodeURIComponent(id));
  if (!rule) notFound();
  const firings = await alertRules.firings(rule.id, KEPT_FIRINGS);
  return (
    <div className="grid h-page grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)]">
      <PageHeader current="rules" />
      <RulePage known={{ rule, firings }} />
    </div>
  );
}
