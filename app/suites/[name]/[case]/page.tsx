import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { CasePage } from "@/components/suites/case/case-page.tsx";
import { PageHeader } from "../../../page-header.tsx";
import { servicesFor } from "../../../services-for.ts";

interface CasePageProps {
  params: Promise<{ name: string; case: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: CasePageProps): Promise<Metadata> {
  return { title: decodeURIComponent((await params).name) };
}

/** What a run did otherwise in a case. */
export default async function SuiteCasePage({ params, searchParams }: CasePageProps) {
  const { name, case: id } = await params;
  const { run, try: tried } = await searchParams;
  const { suites } = await servicesFor("read");
  const suite = decodeURIComponent(name);
  if (!(await suites.has(suite))) notFound();
  const number = Number(tried);
  return (
    <div className="grid h-page grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)]">
      <PageHeader current="suites" />
      <CasePage
        name={suite}
        id={decodeURIComponent(id)}
        run={typeof run === "string" ? run : null}
        tried={Number.isInteger(number) && number > 0 ? number : null}
      />
    </div>
  );
}
