import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { AGENTS_KEY } from "@/components/agents/queries.ts";
import { parseAt } from "@/components/replay/address.ts";
import { readId } from "@/components/studio/read-id.ts";
import { Studio } from "@/components/studio/studio.tsx";
import { services } from "@/lib/server/services.ts";

interface StudioPageProps {
  params: Promise<{ id: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** Asked for by the page and its title alike, and read once. */
const findConversation = cache((id: string) => services().conversations.get(id));

export async function generateMetadata({ params }: StudioPageProps): Promise<Metadata> {
  const conversation = await findConversation(readId((await params).id));
  return conversation ? { title: conversation.title ?? conversation.subject ?? conversation.id } : {};
}

/** Who answers is known from the first moment on, so that nobody who writes at once has to wait for it. */
function readAgents() {
  const queries = new QueryClient();
  queries.setQueryData(AGENTS_KEY, services().agents.list());
  return dehydrate(queries);
}

/** The studio of one conversation, at the step of the address (C2). */
export default async function StudioPage({ params, searchParams }: StudioPageProps) {
  const id = readId((await params).id);
  const conversation = await findConversation(id);
  if (!conversation) notFound();
  const wanted = (await searchParams).at;
  const text = Array.isArray(wanted) ? wanted.join(",") : (wanted ?? null);
  const place = parseAt(text, conversation.last_seq);
  const at = "at" in place ? place.at : null;
  const view = await services().sessions.view(id, at, { bare: true });
  if (view === null) notFound();
  return (
    <HydrationBoundary state={readAgents()}>
      <Studio
        conversationId={id}
        name={conversation.title ?? conversation.subject}
        view={view}
        at={at}
        badAt={"invalid" in place ? place.invalid : null}
        forkedFrom={conversation.forked_from}
      />
    </HydrationBoundary>
  );
}
