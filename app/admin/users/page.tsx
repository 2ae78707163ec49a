import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Users } from "@/components/admin/users/users.tsx";
import { USERS_KEY } from "@/components/admin/users/users-key.ts";
import { NowProvider } from "@/components/list/now.tsx";
import { servicesFor } from "../../services-for.ts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("admin.users"))("title") };
}

/** The Users page. */
export default async function UsersPage() {
  const { users, access } = await servicesFor("admin");
  const queries = new QueryClient();
  queries.setQueryData(USERS_KEY, await users.list());
  return (
    <HydrationBoundary state={dehydrate(queries)}>
      <NowProvider initial={Date.now()}>
        <Users required={access.required} />
      </NowProvider>
    </HydrationBoundary>
  );
}
