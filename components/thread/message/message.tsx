"use client";

import { useTranslations } from "next-intl";
import { memo, useState } from "react";
import { Clock } from "@/components/format/clock.tsx";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { speakerAt } from "@/lib/session/runs/speakers.ts";
import type { Message as MessageRecord } from "@/lib/session/session.ts";
import { LargeText } from "./large-text.tsx";
import { MarkdownText } from "./markdown.tsx";
import { MemoryCheck } from "./memory-check.tsx";
import { memoryWarnings } from "./memory-warnings.ts";

interface MessageProps {
  message: MessageRecord;
  /** The conversation's channel, shown beside user messages. */
  channel: string | null;
  /** It is the current step. */
  lit: boolean;
  /** It is the newest answer, so its warnings are expanded. */
  newest?: boolean;
  /** Its Markdown is rendered after hydration. */
  late?: boolean;
}

const BAR: Record<string, string> = {
  user: "border-k-message",
  operator: "border-st-escalated",
};

/** A message with author and time. */
export const Message = memo(function Message({ message, channel, lit, newest = false, late = false }: MessageProps) {
  const t = useTranslations("thread");
  const name = useSpeaker(message);
  const warnings = memoryWarnings(message);
  if (message.role === "system" || message.role === "tool") return <Folded message={message} name={name} lit={lit} />;
  return (
    <article
      data-seq={message.seq}
      className={`my-1 rounded-r-1 border-l-2 py-0.5 pr-1 pl-2.5 ${BAR[message.role] ?? "border-line-strong"} ${lit ? "bg-accent-soft" : ""}`}
    >
      <header className="mb-0.5 flex items-baseline gap-1.5">
        <b className="min-w-0 truncate font-semibold">{name}</b>
        {message.role === "user" && channel && channel !== IMPORTED && (
          <span className="flex-none text-fg-3">{t("via", { channel: channelName(channel) })}</span>
        )}
        {message.role === "operator" && message.name && <span className="flex-none text-fg-3">{t("operator")}</span>}
        <Clock at={message.created_at} className="ml-auto flex-none text-11" />
      </header>
      <Content message={message} late={late} />
      {warnings.length > 0 && (
        <div className="mt-1 border-line border-t">
          <MemoryCheck warnings={warnings} open={newest} />
        </div>
      )}
    </article>
  );
});

/** System and tool messages: one line until expanded. */
function Folded({ message, name, lit }: { message: MessageRecord; name: string; lit: boolean }) {
  const t = useTranslations("thread");
  const [open, setOpen] = useState(false);
  const first = typeof message.content === "string" ? message.content.trim().split("\n", 1)[0] : "";
  return (
    <article
      data-seq={message.seq}
      className={`my-1 border-l-2 border-dotted border-line-control pl-2 ${lit ? "bg-accent-soft" : ""}`}
    >
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex h-6 w-full phone:h-11 min-w-0 items-center gap-1.5 text-left text-fg-3 hover:text-fg"
      >
        <Icon name={open ? "down" : "right"} size={12} />
        <span className="flex-none font-medium text-fg-2">{name}</span>
        {!open && <span className="min-w-0 truncate">{first}</span>}
        <span className="ml-auto flex-none pl-1.5 text-11">{open ? t("hide") : t("show")}</span>
      </button>
      {open && (
        <div className="pt-1 pb-1 pl-4.5">
          <Content message={message} late={false} />
        </div>
      )}
    </article>
  );
}

function Content({ message, late }: { message: MessageRecord; late: boolean }) {
  const { content, role, seq } = message;
  if (typeof content !== "string") return <LargeText cited={content} />;
  // User messages are plain text; agents write Markdown.
  if (role === "user" || role === "tool")
    return <p className="text-13 leading-[var(--lh-body)] text-pretty whitespace-pre-wrap wrap-anywhere">{content}</p>;
  return <MarkdownText text={content} id={`m${seq}`} late={late} />;
}

function useSpeaker({ name, role, run_id, seq }: MessageRecord): string {
  const t = useTranslations("events.role");
  const user = useStudio((state) => state.session.summary.user_id);
  const agent = useStudio(({ session }) => {
    const run = session.runs.get(run_id ?? "");
    return run ? speakerAt(run, seq) : null;
  });
  switch (role) {
    case "user":
      return name ?? user ?? t(role);
    case "assistant":
      return name ?? agent ?? t(role);
    case "operator":
      return name ?? t(role);
    case "system":
      return t(role);
    case "tool":
      return name ? `${t(role)} ${name}` : t(role);
    default:
      return name ?? role;
  }
}

/** Not a channel, but how the conversation was created. */
const IMPORTED = "import";

/** Channel names that are spelled in capitals. */
const SPELLED = new Set(["api", "otlp", "sms"]);

function channelName(channel: string): string {
  if (SPELLED.has(channel)) return channel.toUpperCase();
  return channel.charAt(0).toUpperCase() + channel.slice(1);
}
