"use client";

import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { Clock } from "@/components/format/clock.tsx";
import { useBytes } from "@/components/format/use-bytes.ts";
import { compareWords, type MessagePair, type Words as Stretch } from "@/lib/session/compare/messages.ts";
import type { Message, View } from "@/lib/session/session.ts";
import { type Comparison, isOther } from "./compare-sessions.ts";
import { DifferenceMark, LOOK } from "./difference-mark.tsx";
import { Nothing } from "./nothing.tsx";
import { Panel } from "./panel.tsx";
import { SideBadge } from "./side-badge.tsx";
import { StepLink } from "./steps/step-link.tsx";
import { usePlace } from "./use-place.ts";
import { MARK, Words } from "./words.tsx";

/** The messages of both sides, with the different words marked. */
export function MessagesPanel({ comparison, a, b }: { comparison: Comparison; a: View; b: View }) {
  const t = useTranslations("compare.messages");
  const [{ only }] = usePlace();
  const shown = only ? comparison.messages.filter(isOther) : comparison.messages;
  const { messages } = comparison;
  const before = Math.max(
    a.messages_before + a.messages.length - messages.filter((pair) => pair.a !== null).length,
    b.messages_before + b.messages.length - messages.filter((pair) => pair.b !== null).length,
  );
  return (
    <Panel count={comparison.counts.messages} narrows>
      {before > 0 && <p className="px-3 pt-2.5 text-fg-3">{t("before", { count: before })}</p>}
      {shown.length === 0 && <Nothing words={t(comparison.messages.length === 0 ? "none" : "same")} />}
      <ol className="mx-auto max-w-360">
        {shown.map((pair) => (
          <Row key={`${pair.a?.seq ?? ""}-${pair.b?.seq ?? ""}`} pair={pair} a={a} b={b} />
        ))}
      </ol>
    </Panel>
  );
}

function Row({ pair, a, b }: { pair: MessagePair; a: View; b: View }) {
  const words = useWords(pair);
  const stop = isOther(pair) ? { "data-difference": true, tabIndex: -1 } : {};
  return (
    <li
      {...stop}
      className="grid grid-cols-[20px_minmax(0,1fr)_minmax(0,1fr)] border-line border-b outline-none focus-visible:shadow-[inset_0_0_0_2px_var(--accent)] max-md:grid-cols-[20px_minmax(0,1fr)]"
    >
      <span className="pt-2.5 pl-2 max-md:row-span-2">
        <DifferenceMark standing={pair.standing} />
      </span>
      <Side
        side="a"
        message={pair.a}
        words={words?.a}
        id={a.conversation_id}
        tint={pair.standing === "a" ? LOOK.a.ground : ""}
      />
      <Side
        side="b"
        message={pair.b}
        words={words?.b}
        id={b.conversation_id}
        tint={pair.standing === "b" ? LOOK.b.ground : ""}
      />
    </li>
  );
}

interface SideProps {
  side: "a" | "b";
  message: Message | null;
  words: Stretch[] | undefined;
  id: string | null;
  tint: string;
}

function Side({ side, message, words, id, tint }: SideProps) {
  const t = useTranslations("compare");
  const role = useTranslations("events.role");
  const bytes = useBytes();
  if (!message) return <p className="m-2 rounded-2 bg-canvas p-2 text-fg-3 max-md:hidden">{t("missing")}</p>;
  const { seq, name, content, created_at } = message;
  return (
    <div className="min-w-0 p-2 md:not-last:border-line md:not-last:border-r">
      <div className={`rounded-2 px-2 py-1.5 ${tint}`}>
        <p className="flex items-baseline gap-2 pb-0.5">
          <SideBadge side={side} className="self-center md:hidden" />
          <span className="min-w-0 truncate font-semibold">{name ?? roleName(role, message.role)}</span>
          <StepLink id={id} seq={seq} />
          <Clock at={created_at} className="ml-auto text-11" />
        </p>
        <p className="text-13 leading-[var(--lh-body)] whitespace-pre-wrap wrap-anywhere">
          {words ? (
            <Words words={words} mark={MARK[side]} />
          ) : typeof content === "string" ? (
            content
          ) : (
            t("messages.large", { size: bytes(content.bytes) })
          )}
        </p>
      </div>
    </div>
  );
}

type RoleWords = ReturnType<typeof useTranslations<"events.role">>;

const ROLES = ["user", "assistant", "system", "tool", "operator"] as const;

function roleName(t: RoleWords, role: string): string {
  const known = ROLES.find((one) => one === role);
  return known ? t(known) : role;
}

/** The different words of a changed message; undefined for any other. */
function useWords({ a, b, standing }: MessagePair) {
  const [before, after] = [a?.content, b?.content];
  return useMemo(
    () =>
      standing === "changed" && typeof before === "string" && typeof after === "string"
        ? compareWords(before, after)
        : undefined,
    [standing, before, after],
  );
}
