"use client";

import "./pending.css";
import { useTranslations } from "next-intl";
import { type MouseEvent, useEffect, useEffectEvent, useState } from "react";
import { subscribeLive } from "@/components/client/live.ts";
import { printedKey } from "@/components/keys/shortcuts.ts";
import { useShortcuts } from "@/components/keys/use-shortcuts.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";
import { isJsonObject, type JsonObject } from "@/lib/session/json/json.ts";
import { FailedDecisions } from "./failed-decisions.tsx";
import {
  dismiss,
  drop,
  dropHandBack,
  hold,
  isOpen,
  onDecisionResult,
  type Pending,
  pendingOf,
  readPending,
  sendNow,
  UNDO_FOR,
  undo,
} from "./pending.ts";
import { Refusal } from "./refusal.tsx";
import { useHeldTime, usePending } from "./use-pending.ts";
import { usePendingWords } from "./use-pending-words.ts";

/**
 * Decisions that can still be undone, shown on every page with their remaining time. They are sent when it is over; a
 * closed tab sends nothing, and asks before it closes.
 */
export function PendingHost() {
  const t = useTranslations("decision.pending");
  const all = usePending();
  const said = useSaid(all);
  const isAny = all.some(isOpen);
  // The decision that Z undoes.
  const newest = all.findLast(({ state }) => state.name === "waiting");
  const waits = newest !== undefined;
  useShortcuts(waits ? { undo: () => undo() } : {});

  // The outside system is the browser's tab.
  useEffect(() => {
    if (!isAny) return;
    const onLeave = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", onLeave);
    return () => removeEventListener("beforeunload", onLeave);
  }, [isAny]);

  // The outside system is the stream: other operators decide, too.
  useEffect(() => {
    if (!waits) return;
    return subscribeLive(
      {},
      {
        onEvents: (events) => {
          for (const { type, payload, conversation_id } of events) {
            if (HANDS.has(type) && conversation_id !== null) dropHandBack(conversation_id);
            if (!type.startsWith("confirmation.") || !isJsonObject(payload)) continue;
            const { confirmation_id } = payload;
            if (typeof confirmation_id !== "string") continue;
            if (type === "confirmation.partially_approved") continue;
            if (type !== "confirmation.requested") drop(confirmation_id, "overtaken");
            else if (!isAsked(confirmation_id, payload)) drop(confirmation_id, "changed");
          }
        },
      },
    );
  }, [waits]);

  return (
    <>
      {all.length > 0 && (
        <section
          ref={keepRoom}
          aria-label={t("label")}
          className="pending-bar"
          onPointerEnter={({ pointerType }) => pointerType === "mouse" && hold(true)}
          onPointerLeave={({ pointerType }) => pointerType === "mouse" && hold(false)}
          onFocus={({ target }) => target.matches(":focus-visible") && hold(true)}
          onBlur={({ currentTarget, relatedTarget }) => currentTarget.contains(relatedTarget) || hold(false)}
        >
          {all.toReversed().map((one) => (
            <Entry key={one.id} one={one} isOlder={isOpen(one) && newest !== undefined && one !== newest} />
          ))}
        </section>
      )}
      <span role="status" className="sr-only">
        {said}
      </span>
    </>
  );
}

/** Events of a takeover. */
const HANDS: ReadonlySet<string> = new Set(["conversation.taken_over", "conversation.handed_back"]);

/** Whether a request equals the one that was on screen for the decision. */
function isAsked(id: string, { description = null, action = null }: JsonObject): boolean {
  const asked = pendingOf(readPending(), id)?.items.find((item) => item.id === id);
  return JSON.stringify([asked?.description, asked?.action]) === JSON.stringify([description, action]);
}

/** Screen reader announcements: that there is something to undo, and its result. */
function useSaid(all: readonly Pending[]): string {
  const t = useTranslations("decision.pending");
  const wordsOf = usePendingWords();
  const [said, say] = useState("");
  const newest = all.at(-1);
  const [told, setTold] = useState(newest?.id);
  if (newest && newest.id !== told) {
    setTold(newest.id);
    say(t("announce", { what: wordsOf(newest).will, seconds: UNDO_FOR / 1_000 }));
  }
  const onUndone = useEffectEvent(() => say(t("undone")));
  const onSettled = useEffectEvent((count: number) => count > 0 && say(t("sent", { count })));
  // The outside system is the store of decisions.
  useEffect(
    () =>
      onDecisionResult({
        onUndone: () => onUndone(),
        onSettled: (outcomes) => onSettled(outcomes.filter(({ outcome }) => outcome === "decided").length),
      }),
    [],
  );
  return said;
}

/** Space between the bar and its surroundings, px. */
const GAP = 12;

/** Elements that the bar would cover are inset (pending.css). */
function keepRoom(bar: HTMLElement | null) {
  if (!bar) return;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty("--pending-room", `${bar.offsetHeight + 2 * GAP}px`));
  observer.observe(bar);
  return () => {
    observer.disconnect();
    style.removeProperty("--pending-room");
  };
}

interface EntryProps {
  one: Pending;
  /** A newer decision is above it. */
  isOlder: boolean;
}

function Entry({ one, isOlder }: EntryProps) {
  const t = useTranslations("decision.pending");
  const wordsOf = usePendingWords();
  const { will, about } = wordsOf(one);
  return (
    <div className="pending-entry" data-state={one.state.name} data-older={isOlder || undefined}>
      <div className="pending-words">
        <p className="pending-will">{will}</p>
        {about !== "" && !isOlder && <p className="pending-about">{about}</p>}
        <Standing one={one} />
      </div>
      {isOpen(one) ? (
        <Waiting one={one} isOlder={isOlder} />
      ) : (
        <div className="pending-buttons">
          {one.state.name === "failed" && (
            <button type="button" onClick={() => sendNow(one.id)}>
              {t("again")}
            </button>
          )}
          <button type="button" onClick={() => dismiss(one.id)}>
            {t("close")}
          </button>
        </div>
      )}
    </div>
  );
}

/** When it is sent, or why it was not. */
function Standing({ one }: { one: Pending }) {
  const { left, state } = one;
  const t = useTranslations("decision.pending");
  const held = useHeldTime();
  switch (state.name) {
    case "waiting":
      return (
        <p className="pending-when">
          {held ? t("held") : t("sendsIn", { seconds: Math.max(1, Math.ceil(left / 1_000)) })}
        </p>
      );
    case "sending":
      return <p className="pending-when">{t("sending")}</p>;
    case "failed":
      return <Refusal error={state.error} />;
    case "missed":
      return <FailedDecisions outcomes={state.outcomes} items={one.kind === "decision" ? one.items : []} />;
    case "dropped":
      return (
        <p role="alert" className="pending-when">
          {t(state.why)}
        </p>
      );
    default:
      return state satisfies never;
  }
}

/** A second tap within this time, ms, was meant for the button that the bar has covered. */
const DOUBLE_TAP = 700;

function isSecondTap({ nativeEvent }: MouseEvent, { since }: Pending): boolean {
  const isTap = "pointerType" in nativeEvent && nativeEvent.pointerType === "touch";
  return isTap && nativeEvent.timeStamp - since < DOUBLE_TAP;
}

function Waiting({ one, isOlder }: EntryProps) {
  const t = useTranslations("decision.pending");
  const held = useHeldTime();
  const waits = one.state.name === "waiting";
  // After a click on a button, hovering it no longer pauses the time.
  const act = (what: (id: number) => void) => (event: MouseEvent) => {
    if (isSecondTap(event, one)) return;
    what(one.id);
    hold(false);
  };
  return (
    <>
      <div className="pending-buttons">
        {!isOlder && (
          <button
            type="button"
            aria-pressed={held}
            aria-label={t("hold")}
            disabled={!waits}
            onClick={(event) => isSecondTap(event, one) || hold(!held)}
            className="pending-hold"
          >
            <Icon name={held ? "play" : "pause"} size={14} />
          </button>
        )}
        <button type="button" disabled={!waits} onClick={act(sendNow)}>
          {t("now")}
        </button>
        <button
          type="button"
          disabled={!waits}
          aria-keyshortcuts={isOlder ? undefined : printedKey("undo")}
          onClick={act(undo)}
          className="pending-undo"
        >
          {t("undo")}
          {!isOlder && (
            <Kbd className="border-current! bg-transparent! text-inherit! max-md:hidden">{printedKey("undo")}</Kbd>
          )}
        </button>
      </div>
      {waits && <i aria-hidden className="pending-line" data-held={held || undefined} />}
    </>
  );
}
