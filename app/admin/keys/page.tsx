import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Keys } from "@/components/admin/keys/keys.tsx";
import { KEYS_KEY } from "@/components/admin/keys/keys-key.ts";
import { NowProvider } from "@/components/list/now.tsx";
import { servicesFor } from "../../services-for.ts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("admin.keys"))("title") };
}

/** The API keys page. */
export default async function KeysPage() {
  const { keys, access } = await servicesFor("admin");
  const queries = new QueryClient();
  queries.setQueryData(KEYS_KEY, await keys.list());
  return (
    <HydrationBoundary state={dehydrate(queries)}>
      <NowProvider initial={Date.now()}>
        <Keys required={access.required} />
      </NowProvider>
    </HydrationBoundary>
  );
}
