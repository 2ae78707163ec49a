import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { RulePage } from "@/components/alert-rules/rule-page.tsx";
import { PageHeader } from "../../page-header.tsx";
import { servicesFor } from "../../services-for.ts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("rules"))("new") };
}

/** A new alert rule. */
export default async function NewAlertRulePage() {
  await servicesFor("admin");
  return (
    <div className="grid h-page grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)]">
      <PageHeader current="rules" />
      <RulePage known={null} />
    </div>
  );
}
