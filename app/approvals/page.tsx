import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Inbox } from "@/components/approvals/inbox/inbox.tsx";
import { fromHead, inboxKey, PAGE_SIZE } from "@/components/approvals/inbox/inbox-pages.ts";
import { type Place, parsePlace } from "@/components/approvals/place.ts";
import { FACETS_KEY } from "@/components/list/filters/facets-key.ts";
import { NowProvider } from "@/components/list/now.tsx";
import { Header } from "@/components/shell/header.tsx";
import type { ListedConfirmation } from "@/lib/api/shapes.ts";
import type { Services } from "@/lib/server/services.ts";
import { servicesFor } from "../services-for.ts";
import "@/components/approvals/approvals.css";

/** The most characters of the list in the page: 50 usual items have a tenth of it. */
const LARGEST_FIRST_PAGE = 256 * 1024;

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("approvals"))("title") };
}

/** The confirmation in the address, wherever in the list it is. */
async function readSelected(
  { status, selected }: Place,
  { confirmations, conversations }: Services,
): Promise<ListedConfirmation | null> {
  const confirmation = selected === null ? null : await confirmations.get(selected);
  // A decided confirmation is shown among pending ones; the other lists contain only their own.
  if (!confirmation || (status !== "requested" && confirmation.status !== status)) return null;
  const found = await conversations.get(confirmation.conversation_id);
  if (!found) return null;
  const { title, subject, channel, user_id, agent_id } = found;
  const unanswered = found.unanswered === confirmation.status;
  return { ...confirmation, agent_id, unanswered, conversation: { title, subject, channel, user_id, agent_id } };
}

/** Prefetched query data. */
async function readFirstPage(place: Place) {
  const services = await servicesFor("read");
  const { confirmations, conversations } = services;
  const [head, selected, facets] = await Promise.all([
    confirmations.list({ status: place.status, limit: PAGE_SIZE }),
    readSelected(place, services),
    conversations.facets(),
  ]);
  const queries = new QueryClient();
  // The page contains its data twice; large actions are fetched from the API instead.
  const inbox = fromHead(head, selected);
  if (JSON.stringify(inbox).length <= LARGEST_FIRST_PAGE) queries.setQueryData(inboxKey(place.status), inbox);
  queries.setQueryData(FACETS_KEY, facets);
  return dehydrate(queries);
}

interface ApprovalsPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The Approvals page (C7). */
export default async function ApprovalsPage({ searchParams }: ApprovalsPageProps) {
  const now = Date.now();
  const given = Object.entries(await searchParams).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value]] : [],
  );
  const state = await readFirstPage(parsePlace(new URLSearchParams(given)));
  return (
    <HydrationBoundary state={state}>
      <div className="grid h-page grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto]">
        <Header current="approvals" />
        <NowProvider initial={now}>
          <Inbox />
        </NowProvider>
      </div>
    </HydrationBoundary>
  );
}
