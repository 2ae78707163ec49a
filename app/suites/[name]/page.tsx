import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { SuitePage } from "@/components/suites/suite-page.tsx";
import { PageHeader } from "../../page-header.tsx";
import { servicesFor } from "../../services-for.ts";

interface SuitePageProps {
  params: Promise<{ name: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: SuitePageProps): Promise<Metadata> {
  return { title: decodeURIComponent((await params).name) };
}

/** A suite with a run of it. */
export default async function SuitesPage({ params, searchParams }: SuitePageProps) {
  const name = decodeURIComponent((await params).name);
  const { run, against } = await searchParams;
  const { suites, models } = await servicesFor("read");
  if (!(await suites.has(name))) notFound();
  return (
    <div className="grid h-page grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)]">
      <PageHeader current="suites" />
      <SuitePage
        key={name}
        name={name}
        run={typeof run === "string" ? run : null}
        against={typeof against === "string" ? against : null}
        model={models.name}
      />
    </div>
  );
}
