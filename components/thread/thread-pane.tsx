"use client";

import "./thread.css";
import { useTranslations } from "next-intl";
import { type ReactNode, startTransition, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { focusBox } from "@/components/compose/studio-box.tsx";
import { UnsentMessages } from "@/components/compose/unsent-messages.tsx";
import { useUnsent } from "@/components/compose/use-unsent.ts";
import { useGradually } from "@/components/replay/use-gradually.ts";
import { callOfEvent } from "@/components/selection/event-call.ts";
import { findCall } from "@/components/selection/select-call.ts";
import { useResolvedSelection } from "@/components/selection/use-resolved-selection.ts";
import { useSelectCall } from "@/components/selection/use-select-call.ts";
import { useSelection } from "@/components/selection/use-selection.ts";
import { conversationName } from "@/components/studio/header/run-name.ts";
import { useDeferredAtRest } from "@/components/studio/use-deferred-at-rest.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { HandBack } from "@/components/takeover/hand-back.tsx";
import { TakeOver } from "@/components/takeover/take-over.tsx";
import { readAtOnce } from "@/lib/session/markdown.ts";
import type { Message, Session } from "@/lib/session/session.ts";
import { AnswerReadOut } from "./message/answer-read-out.tsx";
import { EarlierMessages } from "./message/earlier-messages.tsx";
import { type NowLine, nowLines } from "./now.ts";
import { NowLines } from "./now-lines.tsx";
import { RunSection } from "./run-section.tsx";
import { sectionKeeper } from "./same-section.ts";
import type { Scene } from "./scene.ts";
import { marksOf, newestOf, type Section, sectionsOf } from "./sections.ts";
import { ThreadFoot } from "./thread-foot.tsx";
import { TurnStatus } from "./turn-line.tsx";
import { useKeepInView } from "./use-keep-in-view.ts";

/** The whole thread is rendered after this time at the latest, ms. */
const LATEST_MS = 2_000;
/** Runs that appear in one frame while the step changes. */
const NEW_RUNS = 2;

interface ThreadPaneProps {
  /** Buttons of the pane's owner. */
  actions?: ReactNode;
  /** Without its header and the message box, where it is read beside something else. */
  bare?: boolean;
}

/** The thread up to the current step (C3). */
export function ThreadPane({ actions, bare = false }: ThreadPaneProps) {
  const t = useTranslations("thread");
  const { session, sections, lines } = useThread();
  const shown = useGradually(useNewestFirst(sections), NEW_RUNS, idOf);
  const scene = useScene(session);
  const following = useStudio((state) => state.following);
  const unsent = useUnsent(
    useStudio((state) => state.conversationId),
    session,
  );
  const scroller = useRef<HTMLElement>(null);
  useKeepInView(scroller, session, unsent.length);
  // Expanded runs are not in the address.
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map());
  const onToggle = useCallback(
    (id: string, open: boolean) => setToggled((before) => new Map(before).set(id, open)),
    [],
  );

  return (
    <>
      <section aria-label={t("title")} className="flex h-full min-h-0 flex-col bg-surface">
        {!bare && (
          <header className="flex h-[var(--h-toolbar)] flex-none items-center gap-1.5 border-line border-b pr-2 pl-3">
            <h2 className="font-semibold">{t("title")}</h2>
            <span className="text-fg-3 tabular-nums">{t("messages", { count: session.summary.message_count })}</span>
            <span className="flex-1" />
            {following && <Hands />}
            {actions}
          </header>
        )}
        <NowLines lines={lines} />
        <section
          ref={scroller}
          tabIndex={0}
          aria-label={t("scroller")}
          data-found
          className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto pb-2"
        >
          <div>
            {session.messages_before > 0 && (
              <EarlierMessages before={session.messages_before} channel={scene.channel} />
            )}
            {shown.map((section) => (
              <RunSection
                key={section.id}
                section={section}
                scene={scene}
                open={toggled.get(section.id) ?? !section.folded}
                onToggle={onToggle}
              />
            ))}
            {following && <UnsentMessages messages={unsent} />}
            {sections.length === 0 && unsent.length === 0 && (
              <p className="p-3 text-fg-3">{session.at === 0 ? t("beforeFirst") : t("empty")}</p>
            )}
            <CurrentStepBar at={session.at} />
          </div>
        </section>
        {following && <TurnStatus run={sections.findLast(({ run }) => run !== null)?.run ?? null} />}
        {!bare && <ThreadFoot />}
      </section>
      {following && <AnswerReadOut session={session} />}
    </>
  );
}

/**
 * The newest runs at first, all of them when the browser is idle: the others are out of view, and a hundred runs are
 * most of the page.
 */
function useNewestFirst(sections: readonly Section[]): readonly Section[] {
  const [isWhole, setWhole] = useState(false);
  // The outside system is the browser's idle time.
  useEffect(() => {
    const whole = () => startTransition(() => setWhole(true));
    // Safari has no requestIdleCallback.
    if (!("requestIdleCallback" in window)) return whole();
    const idle = requestIdleCallback(whole, { timeout: LATEST_MS });
    return () => cancelIdleCallback(idle);
  }, []);
  return isWhole ? sections : newestOf(sections);
}

function idOf({ id }: Section): string {
  return id;
}

/** What rows highlight, and how they are selected. */
function useScene(session: Scene["session"]): Scene {
  const event = useStudio((state) => state.event);
  const at = useStudio((state) => (state.following ? 0 : state.session.at));
  const looked = useResolvedSelection(session);
  const [{ call }] = useSelection();
  const onSelect = useSelectCall();
  const current = useMemo(() => (at === 0 ? null : callOfEvent(session, event)), [session, event, at]);
  const selected = useMemo(() => findCall(session, looked, call), [session, looked, call]);
  const newestAnswer = session.messages.findLast(({ role }) => role === "assistant")?.id ?? null;
  const setFrom = useMemo(() => firstSet(session.messages), [session.messages]);
  const { channel } = session.summary;
  return useMemo(
    () => ({ session, channel, newestAnswer, setFrom, at, current, selected, onSelect }),
    [session, channel, newestAnswer, setFrom, at, current, selected, onSelect],
  );
}

/** The oldest of the newest messages whose Markdown renders quickly together. */
function firstSet(messages: readonly Message[]): number {
  const texts = messages.flatMap(({ seq, role, content }) =>
    role === "user" || typeof content !== "string" ? [] : [{ seq, text: content }],
  );
  const [oldest] = [...readAtOnce(texts)].slice(-1);
  return oldest?.seq ?? Number.POSITIVE_INFINITY;
}

/** The current step in the thread, and the number of later ones. */
function CurrentStepBar({ at }: { at: number }) {
  const t = useTranslations("thread");
  const later = useStudio((state) => state.last) - at;
  if (later <= 0) return null;
  return (
    <p className="mt-1.5 flex items-center gap-2 px-3 text-11 font-medium whitespace-nowrap text-accent tabular-nums">
      {t("here", { step: at })}
      <span aria-hidden className="h-px flex-1 bg-accent" />
      <span className="font-normal text-fg-3">{t("laterSteps", { count: later })}</span>
    </p>
  );
}

const HANDS_ID = "hands";

/** Not to the box: the user's message follows, and somebody may be writing. */
function focusHands(): void {
  document.getElementById(HANDS_ID)?.focus();
}

/** The takeover status: a button to take over, or to hand back (D11). */
function Hands() {
  const conversationId = useStudio((state) => state.conversationId);
  const name = useStudio(({ session }) => conversationName(session, null));
  const { taken_over, escalated, open_runs, channel } = useStudio(({ session }) => session.summary);
  // An imported conversation is over, unless it has an open alert.
  if (channel === "import" && !escalated) return null;
  return (
    <div id={HANDS_ID} tabIndex={-1} className="hands">
      {taken_over ? (
        <HandBack conversationId={conversationId} name={name ?? conversationId} onBack={focusHands} />
      ) : (
        <TakeOver conversationId={conversationId} ends={Object.keys(open_runs).length > 0} onTaken={focusBox} />
      )}
    </div>
  );
}

/** The thread at the current step. While the step changes it may be a frame behind; live it is not. */
function useThread(): { session: Session; sections: Section[]; lines: NowLine[] } {
  const newest = useStudio((state) => state.session);
  const following = useStudio((state) => state.following);
  const session = useDeferredAtRest(following ? null : newest) ?? newest;
  const timeline = useStudio((state) => state.timeline);
  const { instance } = useResolvedSelection(session);
  const marks = useMemo(() => marksOf(timeline), [timeline]);
  const [keepSame] = useState(sectionKeeper);
  const sections = useMemo(() => keepSame(sectionsOf(session, marks, instance)), [keepSame, session, marks, instance]);
  const lines = useMemo(() => nowLines(session, instance), [session, instance]);
  return { session, sections, lines };
}
