"use client";

import { useQuery } from "@tanstack/react-query";
import { useFormatter, useTranslations } from "next-intl";
import { useCaller } from "@/components/access/caller-provider.tsx";
import { callApi } from "@/components/client/api.ts";
import { useLiveRefresh } from "@/components/client/use-live-refresh.ts";
import { CopyButton } from "@/components/connect/copy-button.tsx";
import { KeyNote } from "@/components/connect/key-note.tsx";
import { otelEnv } from "@/components/connect/otel-snippets.ts";
import { useOrigin } from "@/components/connect/use-origin.ts";
import { useWaitingTraces } from "@/components/connect/use-waiting-traces.ts";
import { Link } from "@/components/ui/link.tsx";
import type { Conversation, ConversationPage } from "@/lib/api/shapes.ts";
import { isOfWelcome, NEWEST, newestForeign } from "./fresh.ts";
import { About, type Standing, Step } from "./step.tsx";

/** A conversation that was sent from outside. */
export type Arrived = Pick<Conversation, "id" | "updated_at">;

interface ConnectStepProps {
  /** The newest conversation from outside when the page was rendered; null for none. */
  arrived: Arrived | null;
  /** The ids of this server's agents. */
  ownAgents: readonly string[];
  /** The server's address during server rendering. */
  assumed: string;
}

const WAYS = [
  { name: "aiSdk", href: "/connect?tab=otel&framework=vercel" },
  { name: "langGraph", href: "/connect?tab=otel&framework=langgraph-python" },
  { name: "openAiAgents", href: "/connect?tab=otel&framework=openai-agents" },
  { name: "mastra", href: "/connect?tab=otel&framework=mastra" },
  { name: "files", href: "/connect?tab=files" },
  { name: "others", href: "/connect" },
] as const;

/** The third thing to try: events of one's own agent. */
export function ConnectStep({ arrived: before, ownAgents, assumed }: ConnectStepProps) {
  const t = useTranslations("welcome.connect");
  const arrived = useArrived(before, ownAgents);
  const standing = useStanding(arrived);
  const origin = useOrigin(assumed);
  const keyed = useCaller().kind !== "everybody";
  const code = otelEnv({ origin, keyed });
  return (
    <Step number={3} title={t("title")} isDone={arrived !== null} standing={standing}>
      <About>
        {t("text")}{" "}
        {arrived
          ? t.rich("arrived", {
              id: arrived.id,
              link: (words) => (
                <Link
                  href={`/conversations/${encodeURIComponent(arrived.id)}`}
                  className="text-accent underline underline-offset-2 wrap-anywhere"
                >
                  {words}
                </Link>
              ),
            })
          : t("says")}
      </About>
      <pre className="mt-2 rounded-2 bg-sunken px-3 py-2.5 font-mono text-11 text-fg leading-4.5 break-words whitespace-pre-wrap">
        {code}
      </pre>
      <div className="mt-2 flex items-start justify-between gap-x-4">
        <ul aria-label={t("ways")} className="flex flex-wrap gap-x-4 text-12">
          {WAYS.map(({ name, href }) => (
            <li key={name}>
              <Link
                href={href}
                className="inline-block leading-6.5 phone:leading-11 text-fg-2 underline underline-offset-3 hover:text-fg"
              >
                {t(`way.${name}`)}
              </Link>
            </li>
          ))}
        </ul>
        <CopyButton text={code} name={t("environment")} />
      </div>
      {keyed && (
        <div className="mt-2">
          <KeyNote />
        </div>
      )}
    </Step>
  );
}

const CLOCK = { hour: "2-digit", minute: "2-digit", hour12: false } as const;

function useStanding(arrived: Arrived | null): Standing {
  const t = useTranslations("welcome.connect");
  const format = useFormatter();
  const waiting = useWaitingTraces();
  if (arrived)
    return { status: "succeeded", words: t("done", { time: format.dateTime(new Date(arrived.updated_at), CLOCK) }) };
  if (waiting > 0) return { status: "waiting", words: t("waiting") };
  return { status: "planned", words: t("nothing") };
}

/** The newest conversation from outside, live; null until there is one. */
function useArrived(before: Arrived | null, ownAgents: readonly string[]): Arrived | null {
  const key = ["welcome", "arrived"];
  const { data } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }): Promise<Arrived | null> => {
      const { items } = await callApi<ConversationPage>("/api/conversations", { query: { limit: NEWEST }, signal });
      return newestForeign(items, ownAgents) ?? null;
    },
    initialData: before,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useLiveRefresh({
    keys: [key],
    pace: 500,
    concerns: ({ conversation_id }) => conversation_id !== null && !isOfWelcome(conversation_id),
  });
  return data;
}
