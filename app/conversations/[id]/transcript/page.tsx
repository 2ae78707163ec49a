import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { readId } from "@/components/selection/read-id.ts";
import { readTranscript } from "@/components/transcript/read-transcript.ts";
import { Transcript } from "@/components/transcript/transcript.tsx";
import { servicesFor } from "../../../services-for.ts";

interface TranscriptPageProps {
  params: Promise<{ id: string }>;
}

/** Cached for the page and its title. */
const findConversation = cache(async (id: string) => (await servicesFor("read")).conversations.get(id));

export async function generateMetadata({ params }: TranscriptPageProps): Promise<Metadata> {
  const conversation = await findConversation(readId((await params).id));
  return conversation ? { title: conversation.title ?? conversation.subject ?? conversation.id } : {};
}

/** A printable conversation. */
export default async function TranscriptPage({ params }: TranscriptPageProps) {
  const id = readId((await params).id);
  const conversation = await findConversation(id);
  if (!conversation) notFound();
  const services = await servicesFor("read");
  const { entries, omitted } = await readTranscript(services.events, id);
  const { title, subject, user_id, agent_id, channel, updated_at } = conversation;
  return (
    <Transcript
      id={id}
      title={title ?? subject ?? id}
      facts={[user_id, agent_id, channel].filter((fact) => fact !== null)}
      updatedAt={updated_at}
      entries={entries}
      omitted={omitted}
    />
  );
}
