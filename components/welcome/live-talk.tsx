"use client";

import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent } from "react";
import { GraphPane } from "@/components/graph/graph-pane.tsx";
import { DeferredPane } from "@/components/replay/deferred-pane.tsx";
import { StudioProvider } from "@/components/replay/studio-provider.tsx";
import { useStudio } from "@/components/studio/use-studio.ts";
import { ThreadPane } from "@/components/thread/thread-pane.tsx";
import { Chip } from "@/components/ui/chip.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Link } from "@/components/ui/link.tsx";
import type { ShownConversationStatus, View } from "@/lib/session/session.ts";
import { shownStatusOf } from "@/lib/session/summary/summary.ts";

/** A conversation that was begun on this page. */
export interface Talk {
  id: string;
  /** Its text, as it was sent. */
  said: string;
  /** The session after its first step. */
  view: View;
}

/** How a conversation stands, and its calls. */
export interface TalkStanding {
  status: ShownConversationStatus;
  done: number;
  total: number;
}

interface LiveTalkProps {
  talk: Talk;
  onStanding: (standing: TalkStanding) => void;
}

/** A conversation as the studio has it, live: what is said, and below it the plan. */
export function LiveTalk({ talk: { id, view }, onStanding }: LiveTalkProps) {
  return (
    <StudioProvider
      key={id}
      conversationId={id}
      view={JSON.stringify(view)}
      now={view.summary}
      at={null}
      forkedFrom={null}
    >
      <Standing onStanding={onStanding} />
      <Head id={id} />
      <div className="h-[42%] min-h-0 flex-none border-line border-b">
        <DeferredPane>
          <ThreadPane bare />
        </DeferredPane>
      </div>
      <div className="relative isolate min-h-0 flex-1">
        <DeferredPane>
          <GraphPane />
        </DeferredPane>
      </div>
    </StudioProvider>
  );
}

function Head({ id }: { id: string }) {
  const t = useTranslations("welcome.panel");
  const words = useTranslations("events.conversation_status");
  const agent = useStudio(({ session }) => session.summary.agent_id);
  const status = useStudio(({ now }) => shownStatusOf(now));
  return (
    <div className="flex h-[var(--h-toolbar)] flex-none items-center gap-2 border-line border-b bg-surface px-3 phone:h-11">
      <h2 className="min-w-0 truncate font-semibold">{t("agent", { agent: agent ?? "" })}</h2>
      <Chip status={status}>{words(status)}</Chip>
      <Link
        href={`/conversations/${encodeURIComponent(id)}`}
        aria-keyshortcuts="O"
        className="ml-auto inline-flex h-[var(--control)] flex-none items-center gap-1.5 rounded-2 px-1.5 font-medium text-fg-2 hover:bg-hover hover:text-fg phone:h-11"
      >
        {t("open")}
        <Icon name="right" size={14} />
      </Link>
    </div>
  );
}

/** Tells the page how the conversation stands. */
function Standing({ onStanding }: Pick<LiveTalkProps, "onStanding">) {
  const status = useStudio(({ now }) => shownStatusOf(now));
  const total = useStudio(({ session }) => session.calls.size);
  const done = useStudio(
    ({ session }) => [...session.calls.values()].filter((call) => call.status === "succeeded").length,
  );
  const tell = useEffectEvent(onStanding);
  // The page beside is outside of the studio's store.
  useEffect(() => tell({ status, done, total }), [status, done, total]);
  return null;
}
