"use client";

import { useTranslations } from "next-intl";
import { Clock } from "@/components/format/clock.tsx";
import { plainText } from "@/components/list/row/plain-text.ts";
import { LargeText } from "@/components/thread/message/large-text.tsx";
import { Button } from "@/components/ui/button.tsx";
import type { Message, Session } from "@/lib/session/session.ts";
import { Section } from "./section.tsx";

/** The most messages that are shown; the studio has all of them. */
const SHOWN = 4;

/** Roles of people and agents. */
const SPEAKERS = ["user", "assistant", "operator"] as const;

interface SaidProps {
  /** Undefined while loading. */
  session: Session | undefined;
  failed: boolean;
  onRetry: () => void;
}

/** The last messages of the conversation. */
export function LastMessages({ session, failed, onRetry }: SaidProps) {
  const t = useTranslations("approvals");
  const messages = session?.messages.filter(({ role }) => SPEAKERS.some((speaker) => speaker === role)).slice(-SHOWN);
  if (messages?.length === 0) return null;
  return (
    <Section title={t("said")}>
      {messages?.map((message) => (
        <Excerpt key={message.id} message={message} user={session?.summary.user_id ?? null} />
      ))}
      {!messages && failed && (
        <p role="alert" className="flex flex-wrap items-center gap-2 text-fg-2">
          {t("notLoaded")}
          <Button onClick={onRetry}>{t("retry")}</Button>
        </p>
      )}
      {!messages && !failed && (
        <div role="status" className="animate-pulse-soft">
          <span className="sr-only">{t("loading")}</span>
          {["w-2/5", "w-full", "w-4/5"].map((width) => (
            <span key={width} className={`mb-2 block h-2 rounded-1 bg-active ${width}`} />
          ))}
        </div>
      )}
    </Section>
  );
}

function Excerpt({ message, user }: { message: Message; user: string | null }) {
  const t = useTranslations("events.role");
  const { role, name, content, created_at } = message;
  const known = SPEAKERS.find((speaker) => speaker === role);
  const speaker = name ?? (role === "user" ? user : null) ?? (known ? t(known) : role);
  return (
    <div className={`mt-1.5 mb-2 border-l-2 pl-2.5 ${role === "user" ? "border-k-message" : "border-line-strong"}`}>
      <p className="flex items-baseline gap-1.5">
        <b className="min-w-0 truncate font-semibold">{speaker}</b>
        <Clock at={created_at} className="ml-auto flex-none text-11" />
      </p>
      {typeof content === "string" ? (
        <p className="line-clamp-5 text-[12.5px] leading-[18px] text-pretty whitespace-pre-line wrap-anywhere">
          {plainText(content)}
        </p>
      ) : (
        <LargeText cited={content} />
      )}
    </div>
  );
}
