import type { Metadata } from "next";
import { cookies } from "next/headers";
import { getTranslations } from "next-intl/server";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { NewConversation } from "@/components/compose/new-conversation.tsx";
import { beginners } from "@/components/compose/who-answers.ts";
import { parseWriter, WRITER_COOKIE } from "@/components/compose/writer.ts";
import { PageHeader } from "../page-header.tsx";
import { servicesFor } from "../services-for.ts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("compose"))("new") };
}

/** The page of a new conversation (C3). Not below `/conversations`, where any name can be an id. */
export default async function NewConversationPage() {
  const [t, jar, { agents: registry }] = await Promise.all([
    getTranslations("compose"),
    cookies(),
    servicesFor("read"),
  ]);
  const agents = beginners(registry.list()).map(({ id, description, mode, default: isDefault }) => ({
    ...{ id, description, mode },
    default: isDefault,
  }));
  return (
    <div className="grid h-page grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)]">
      <PageHeader />
      <main id="main" tabIndex={-1} className="overflow-y-auto outline-none">
        <div className="page-measure pt-6 pb-16 text-13 leading-[var(--lh-body)] *:max-w-160">
          <h1 className="mb-5 text-16 leading-6 font-semibold">{t("new")}</h1>
          <RequirePermission permission="ingest" otherwise="words">
            <NewConversation agents={agents} writer={parseWriter(jar.get(WRITER_COOKIE)?.value)} />
          </RequirePermission>
        </div>
      </main>
    </div>
  );
}
