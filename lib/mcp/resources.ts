import { type McpServer, ProtocolError, ProtocolErrorCode, ResourceTemplate } from "@modelcontextprotocol/server";
import type { Conversation, ConversationPage, Page } from "../../db/repositories.ts";
import { getConversation } from "../api/operations/conversations/get-conversation.ts";
import { listConversations } from "../api/operations/conversations/list-conversations.ts";
import { listMessages } from "../api/operations/conversations/list-messages.ts";
import type { Message } from "../session/session.ts";
import { pageWithin, ROOM, withinRoom } from "./answer.ts";
import { type ApiInvoker, Refused } from "./api-invoker.ts";
import { briefly } from "./list-tools.ts";

/** How many of the newest conversations are listed; others are available by id. */
const LISTED = 50;
const MESSAGES = 200;

const JSON_TYPE = "application/json";

/** Adds conversations as resources, for people who attach one for their assistant: its fields and first messages. */
export function addResources(server: McpServer, api: ApiInvoker): void {
  const template = new ResourceTemplate("obelus://conversations/{id}", {
    list: async () => {
      const { items } = await api.ask<ConversationPage>(listConversations, { query: { limit: LISTED } });
      return {
        resources: items.map(({ id, title, subject, updated_at }) => ({
          uri: `obelus://conversations/${encodeURIComponent(id)}`,
          name: title ?? subject ?? id,
          mimeType: JSON_TYPE,
          annotations: { lastModified: updated_at },
        })),
      };
    },
  });
  server.registerResource(
    "conversation",
    template,
    { title: "Conversation", description: "The facts of a conversation and its first messages.", mimeType: JSON_TYPE },
    async (uri, { id }) => {
      const text = await read(decodeURIComponent(String(id)), api);
      return { contents: [{ uri: uri.href, mimeType: JSON_TYPE, text }] };
    },
  );
}

async function read(id: string, api: ApiInvoker): Promise<string> {
  try {
    const conversation = briefly(await api.ask<Conversation>(getConversation, { params: { id } }), api);
    const { items, next } = await pageWithin(
      (limit) => api.ask<Page<Message>>(listMessages, { params: { id }, query: { limit } }),
      MESSAGES,
      ROOM,
    );
    const more = "The tool get_conversation goes on from `next`.";
    return JSON.stringify(withinRoom({ facts: { conversation, next }, items, room: ROOM, more }));
  } catch (error) {
    if (error instanceof Refused) throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
    throw error;
  }
}
