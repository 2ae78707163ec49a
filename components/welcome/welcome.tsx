"use client";

import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { writeSearch } from "@/components/client/address.ts";
import { rememberPreference } from "@/components/client/preference.ts";
import { ShortcutFooter } from "@/components/keys/shortcut-footer.tsx";
import { useShortcuts } from "@/components/keys/use-shortcuts.ts";
import { Button } from "@/components/ui/button.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { type Arrived, ConnectStep } from "./connect-step.tsx";
import type { TalkStanding } from "./live-talk.tsx";
import { formatProgress, type Progress, WELCOME_COOKIE } from "./progress.ts";
import { type RecordedFailure, ReplayStep } from "./replay-step.tsx";
import type { Standing } from "./step.tsx";
import { TalkStep } from "./talk-step.tsx";
import { useTalk } from "./use-talk.ts";

/** The studio's thread and graph are most of the console's code: they are loaded for those who press a prompt. */
const LiveTalk = dynamic(() => import("./live-talk.tsx").then((room) => room.LiveTalk), { loading: Opening });

interface WelcomeProps {
  /** What this browser has done before. */
  before: Progress;
  /** The agent of this server that answers; null if there is none. */
  agent: string | null;
  /** The agent works on the demo's records, so that the prompts name some that exist. */
  hasPrompts: boolean;
  /** The user id of conversations that are begun here. */
  user: string;
  failure: RecordedFailure | null;
  arrived: Arrived | null;
  ownAgents: readonly string[];
  /** The server's address during server rendering. */
  assumed: string;
}

/** The first minutes with a server: what it is, and three things to try. */
export function Welcome({ before, agent, hasPrompts, user, failure, arrived, ownAgents, assumed }: WelcomeProps) {
  const t = useTranslations("welcome");
  const router = useRouter();
  const [progress, setProgress] = useState(before);
  const { mutate, data: talk, isPending, error } = useTalk(agent, user);
  const [stood, setStood] = useState<{ id: string; standing: TalkStanding } | null>(null);
  const standing = stood !== null && stood.id === talk?.id ? stood.standing : null;
  const field = useRef<HTMLInputElement>(null);
  const panel = useRef<HTMLElement>(null);

  const keep = (change: Partial<Progress>) => {
    const next = { ...progress, ...change };
    rememberPreference(WELCOME_COOKIE, formatProgress(next));
    setProgress(next);
  };
  const say = (text: string) => {
    if (isPending) return;
    // All calls of the conversation, and nothing that was selected in the one before.
    writeSearch("?plan=session");
    mutate(text);
  };
  const onStanding = (id: string, next: TalkStanding) => {
    setStood({ id, standing: next });
    // A conversation that waits for a decision has to be found again by whoever looks at another page first.
    if ((next.status === "done" || next.status === "waiting") && progress.talk !== id) keep({ talk: id });
  };
  const hide = () => {
    keep({ hidden: true });
    router.push("/");
  };

  // In a narrow window the conversation is below the steps.
  const id = talk?.id;
  useEffect(() => {
    if (id !== undefined) panel.current?.scrollIntoView({ block: "nearest" });
  }, [id]);

  const prompts = hasPrompts ? ([t("prompts.first"), t("prompts.second"), t("prompts.third")] as const) : [];
  const press = (index: 0 | 1 | 2) => {
    const prompt = prompts[index];
    if (prompt === undefined || agent === null) return false;
    say(prompt);
  };
  useShortcuts({
    firstPrompt: () => press(0),
    secondPrompt: () => press(1),
    thirdPrompt: () => press(2),
    search: () => field.current?.focus(),
    studio: () => {
      if (!talk) return false;
      router.push(`/conversations/${encodeURIComponent(talk.id)}`);
    },
  });

  return (
    <>
      <main
        id="main"
        tabIndex={-1}
        className="grid min-h-0 grid-cols-[minmax(0,1fr)] overflow-y-auto outline-none lg:grid-cols-[minmax(0,min(40rem,46%))_minmax(0,1fr)] lg:overflow-hidden"
      >
        <div className="min-w-0 px-12 pt-8.5 pb-6 max-xl:px-6 max-md:px-4 max-md:pt-6 lg:overflow-y-auto">
          <h1 className="font-semibold text-20 leading-7 tracking-[-0.02em] text-balance">{t("heading")}</h1>
          <p className="mt-2 mb-5 text-13 text-fg-2 leading-5">{t("intro")}</p>
          <ol className="border-line border-b">
            <TalkStep
              prompts={prompts}
              said={talk?.said ?? null}
              isAnswered={agent !== null}
              isBusy={isPending}
              error={error}
              standing={useTalkStanding({
                standing,
                isSent: isPending || talk !== undefined,
                isDone: progress.talk !== null,
              })}
              isDone={progress.talk !== null && standing?.status !== "waiting"}
              earlier={talk ? null : progress.talk}
              field={field}
              onSay={say}
            />
            <ReplayStep failure={failure} isDone={progress.replayed} onOpen={() => keep({ replayed: true })} />
            <ConnectStep arrived={arrived} ownAgents={ownAgents} assumed={assumed} />
          </ol>
          {!progress.hidden && (
            <p className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-1 text-12 text-fg-3">
              <Button onClick={hide} className="phone:h-11">
                <Icon name="hide" size={14} />
                {t("hide")}
              </Button>
              {t("hideHint")}
            </p>
          )}
        </div>
        <section
          ref={panel}
          aria-label={t("panel.label")}
          className="flex h-160 min-w-0 flex-col bg-canvas max-lg:border-line-strong max-lg:border-t lg:h-auto lg:min-h-0 lg:border-line-strong lg:border-l"
        >
          {talk ? (
            <LiveTalk talk={talk} onStanding={(next) => onStanding(talk.id, next)} />
          ) : (
            <Empty isAnswered={agent !== null} />
          )}
        </section>
      </main>
      <ShortcutFooter page="welcome" />
    </>
  );
}

/** The place of the conversation before there is one. */
function Empty({ isAnswered }: { isAnswered: boolean }) {
  const t = useTranslations("welcome.panel");
  return (
    <div className="welcome-ground flex flex-1 items-center">
      <EmptyState icon="delegate" title={t("empty")} className="max-w-100!">
        {t(isAnswered ? "emptyText" : "emptyUnanswered")}
      </EmptyState>
    </div>
  );
}

function Opening() {
  const t = useTranslations("welcome.panel");
  return (
    <p role="status" className="welcome-ground flex flex-1 items-center justify-center text-fg-3">
      {t("opening")}
    </p>
  );
}

interface TalkState {
  standing: TalkStanding | null;
  /** A prompt was pressed. */
  isSent: boolean;
  isDone: boolean;
}

/** The state of the conversation in words; while it runs, with its calls. */
function useTalkStanding({ standing, isSent, isDone }: TalkState): Standing {
  const t = useTranslations("welcome.talk");
  const words = useTranslations("events.conversation_status");
  if (standing === null) {
    if (isSent) return { status: "queued", words: t("sending") };
    return isDone ? { status: "succeeded", words: t("done") } : { status: "planned", words: t("open") };
  }
  const { status, done, total } = standing;
  switch (status) {
    case "running":
      return { status, words: total === 0 ? words(status) : t("running", { done, total }) };
    case "waiting":
      return { status, words: t("waiting") };
    case "done":
      return { status, words: t("done") };
    case "no_runs":
    case "no_answer":
      return { status: "queued", words: t("sending") };
    default:
      return { status, words: words(status) };
  }
}
