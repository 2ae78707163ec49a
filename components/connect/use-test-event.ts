"use client";

import { useMutation } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import { newId } from "@/components/compose/new-id.ts";
import type { AppendedEvents } from "@/lib/api/shapes.ts";

type AppendedEvent = AppendedEvents["events"][number];

/** All test events are in one conversation, so that trying often leaves no litter. */
const CONVERSATION = "connect-test";

/** Sends a real event from this browser; its answer says where it was stored. */
export function useTestEvent() {
  return useMutation({
    mutationFn: async (content: string): Promise<AppendedEvent> => {
      const payload = { message_id: newId(), role: "user", content };
      const body = { conversation_id: CONVERSATION, type: "message.created", actor: "user:console", payload };
      const { events } = await callApi<{ events: [AppendedEvent] }>("/api/events", { method: "POST", body });
      return events[0];
    },
  });
}
