import { useMutation } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import { newId } from "@/components/compose/new-id.ts";
import { outbox } from "@/components/compose/tab-outbox.ts";
import { conversationAddress } from "@/components/replay/first-timeline.ts";
import type { View } from "@/lib/session/session.ts";
import { TALK_PREFIX } from "./fresh.ts";
import type { Talk } from "./live-talk.tsx";

/** Begins a conversation with an agent, as this user, and sends its first message. The data is the newest conversation. */
export function useTalk(agent: string | null, user: string) {
  return useMutation({
    mutationFn: async (said: string): Promise<Talk> => {
      const id = `${TALK_PREFIX}${newId()}`;
      const body = { id, channel: "web", user_id: user, agent_id: agent };
      await callApi("/api/conversations", { method: "POST", body });
      // The plan is drawn as it grows, so nobody waits for the message; the thread tells where it was refused.
      void outbox.send({ id: newId(), conversationId: id, content: said, userId: null, recorded: false });
      const view = await callApi<View>(`${conversationAddress(id)}/view`);
      return { id, said, view };
    },
  });
}
