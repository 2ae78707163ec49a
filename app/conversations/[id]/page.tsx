import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { AGENTS_KEY } from "@/components/agents/queries.ts";
import { parseAt } from "@/components/replay/address.ts";
import { conversationAddress, firstOfTimeline } from "@/components/replay/first-timeline.ts";
import { readId } from "@/components/selection/read-id.ts";
import { Studio } from "@/components/studio/studio.tsx";
import type { Services } from "@/lib/server/services.ts";
import { servicesFor } from "../../services-for.ts";

interface StudioPageProps {
  params: Promise<{ id: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** Cached for the page and its title. */
const findConversation = cache(async (id: string) => (await servicesFor("read")).conversations.get(id));

export async function generateMetadata({ params }: StudioPageProps): Promise<Metadata> {
  const conversation = await findConversation(readId((await params).id));
  return conversation ? { title: conversation.title ?? conversation.subject ?? conversation.id } : {};
}

/** The answering agent is known from the first render, so that the message box is enabled. */
function readAgents(agents: Services["agents"]) {
  const queries = new QueryClient();
  queries.setQueryData(AGENTS_KEY, agents.list());
  return dehydrate(queries);
}

/** The studio of a conversation at the step in the address (C2). */
export default async function StudioPage({ params, searchParams }: StudioPageProps) {
  const id = readId((await params).id);
  const conversation = await findConversation(id);
  if (!conversation) notFound();
  const { at: wanted, plan } = await searchParams;
  const text = Array.isArray(wanted) ? wanted.join(",") : (wanted ?? null);
  const place = parseAt(text, conversation.last_seq);
  const at = "at" in place ? place.at : null;
  const { agents, conversations, sessions } = await servicesFor("read");
  const view = await sessions.view(id, at, { bare: true });
  // Read after the view, because live events continue from both.
  const now = await conversations.summary(id);
  if (view === null || now === null) notFound();
  return (
    <HydrationBoundary state={readAgents(agents)}>
      {[...(plan === "session" ? [`${conversationAddress(id)}/map`] : []), ...firstOfTimeline(id, now.last_seq)].map(
        (address) => (
          <link key={address} rel="preload" href={address} as="fetch" crossOrigin="anonymous" fetchPriority="high" />
        ),
      )}
      <Studio
        conversationId={id}
        name={conversation.title ?? conversation.subject}
        view={view}
        now={now}
        at={at}
        badAt={"invalid" in place ? place.invalid : null}
        forkedFrom={conversation.forked_from}
      />
    </HydrationBoundary>
  );
}
