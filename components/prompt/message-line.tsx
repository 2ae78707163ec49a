"use client";

import { useTranslations } from "next-intl";
import { Clock } from "@/components/format/clock.tsx";
import { StepLink } from "@/components/inspector/step-link.tsx";
import type { Message } from "@/lib/session/session.ts";

interface MessageLineProps {
  id: string;
  /** Null when it is not loaded. */
  message: Message | null;
  /** Shows its first words instead of its id. */
  quoted?: boolean;
}

/** A message in one line, with a link to its step. */
export function MessageLine({ id, message, quoted = false }: MessageLineProps) {
  const t = useTranslations("events.role");
  if (!message) return <code className="min-w-0 truncate font-mono text-11 text-fg-3">{id}</code>;
  const { role, name, created_at, content, seq } = message;
  const isKnownRole =
    role === "user" || role === "assistant" || role === "system" || role === "tool" || role === "operator";
  const words = quoted && typeof content === "string" ? content.trim().split("\n", 1)[0] : null;
  return (
    <>
      <span className="max-w-1/3 flex-none truncate font-medium" title={name ?? undefined}>
        {isKnownRole ? t(role) : role}
      </span>
      <Clock at={created_at} className="flex-none text-11" />
      {words ? (
        <bdi className="min-w-0 flex-1 truncate text-fg-2" title={id}>
          {words}
        </bdi>
      ) : (
        <code className="min-w-0 flex-1 truncate font-mono text-11 text-fg-3" title={id}>
          {id}
        </code>
      )}
      <span className="flex-none text-11">
        <StepLink step={seq} />
      </span>
    </>
  );
}
