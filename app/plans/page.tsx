import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { NowProvider } from "@/components/list/now.tsx";
import { Playground } from "@/components/playground/playground.tsx";
import { PageHeader } from "../page-header.tsx";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("playground"))("title") };
}

/** The playground (C9). */
export default function PlansPage() {
  return (
    <div className="grid h-page grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto]">
      <PageHeader current="plans" />
      <NowProvider initial={Date.now()}>
        <Playground />
      </NowProvider>
    </div>
  );
}
