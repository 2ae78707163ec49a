"use client";

import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { callApi } from "@/components/client/api.ts";
import { newId } from "@/components/compose/new-id.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import type { AppendedEvents } from "@/lib/api/shapes.ts";
import type { Arrival } from "./arrivals.ts";

/** Sends a test event, and reports when it arrives on the stream. */
export function TestEvent({ arrivals }: { arrivals: readonly Arrival[] }) {
  const t = useTranslations("connect.test");
  const { mutate, isPending, data: sent, error } = useTestEvent();
  const isBack =
    sent !== undefined &&
    arrivals.some((one) => one.conversation_id === sent.conversation_id && one.position >= sent.position);
  const words = () => {
    if (error) return t("failed", { reason: error.message });
    if (isPending || !sent) return "";
    return isBack ? t("arrived", { seq: sent.seq }) : t("stored");
  };
  return (
    <div className="grid gap-1.5 border-line border-t px-3 py-2.5">
      <RequirePermission permission="ingest" className="justify-self-start">
        <Button className="justify-self-start" disabled={isPending} onClick={() => mutate(t("said"))}>
          <Icon name="play" size={14} />
          {isPending ? t("sending") : t("send")}
        </Button>
      </RequirePermission>
      <p role="status" className={`text-12 leading-4 empty:hidden ${error ? "text-st-failed" : "text-fg-2"}`}>
        {words()}
      </p>
    </div>
  );
}

type AppendedEvent = AppendedEvents["events"][number];

/** All test events are in one conversation. */
const CONVERSATION = "connect-test";

/** Sends an event; the response has its step. */
function useTestEvent() {
  return useMutation({
    mutationFn: async (content: string): Promise<AppendedEvent> => {
      const payload = { message_id: newId(), role: "user", content };
      const body = { conversation_id: CONVERSATION, type: "message.created", actor: "user:console", payload };
      const { events } = await callApi<{ events: [AppendedEvent] }>("/api/events", { method: "POST", body });
      return events[0];
    },
  });
}
