import { callApi } from "@/components/client/api.ts";
import { Outbox, type Outgoing } from "./outbox.ts";

/** Posts a message as the user, which starts a turn or is only recorded without an agent, or as the manager. */
function post({ id, conversationId, content, userId, recorded, manager }: Outgoing): Promise<unknown> {
  const address = `/api/conversations/${encodeURIComponent(conversationId)}/messages`;
  if (manager) return callApi(address, { method: "POST", body: { message_id: id, content, role: "operator" } });
  const user = userId === null ? {} : { user_id: userId };
  if (recorded) {
    const body = { id, conversation_id: conversationId, role: "user", content, ...user };
    return callApi("/api/messages", { method: "POST", body });
  }
  const body = { message_id: id, content, ...user };
  return callApi(address, { method: "POST", body });
}

/** The outbox of this tab. */
export const outbox = new Outbox(() => sessionStorage, post);
