import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { ComponentProps } from "react";
import { FACETS_KEY } from "@/components/list/filters/facets-key.ts";
import { Header } from "@/components/shell/header.tsx";
import { servicesFor } from "./services-for.ts";

/** The header with the counts of its badges, so that its links do not move when they arrive. */
export async function PageHeader(props: ComponentProps<typeof Header>) {
  const { conversations } = await servicesFor("read");
  const queries = new QueryClient();
  queries.setQueryData(FACETS_KEY, await conversations.facets());
  return (
    <HydrationBoundary state={dehydrate(queries)}>
      <Header {...props} />
    </HydrationBoundary>
  );
}
