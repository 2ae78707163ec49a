"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button.tsx";
import { Message } from "./message.tsx";
import { useEarlierMessages } from "./use-earlier-messages.ts";

/** The number of messages before the view, with a button that loads them from the beginning. */
export function EarlierMessages({ before, channel }: { before: number; channel: string | null }) {
  const t = useTranslations("thread.earlier");
  const { messages, left, loading, failed, load } = useEarlierMessages(before);
  return (
    <section className="border-line border-b px-3 py-1">
      {messages.map((message) => (
        <div key={message.id} className="thread-entry">
          <Message message={message} channel={channel} lit={false} late />
        </div>
      ))}
      {left > 0 && (
        <p className="flex min-h-8 items-center gap-2 text-fg-3">
          <span className="min-w-0 flex-1">{failed ? t("failed") : t("left", { count: left })}</span>
          <Button onClick={load} disabled={loading}>
            {loading ? t("loading") : messages.length === 0 ? t("load") : t("more")}
          </Button>
        </p>
      )}
    </section>
  );
}
