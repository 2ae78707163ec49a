import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Conversation, Page, PathHistory, SessionSearch } from "../../db/repositories.ts";
import { getConversation } from "../api/operations/conversations/get-conversation.ts";
import { listMessages } from "../api/operations/conversations/list-messages.ts";
import { searchConversation } from "../api/operations/conversations/search-conversation.ts";
import { listEvents } from "../api/operations/sessions/list-events.ts";
import { getStateHistory } from "../api/operations/sessions/state-history.ts";
import type { SessionEvent } from "../session/event.ts";
import { FIND_WHERE } from "../session/find/find-in-event.ts";
import type { Message } from "../session/session.ts";
import { answerTool, pageWithin, room } from "./answer.ts";
import type { ApiInvoker } from "./api-invoker.ts";
import { conversationId, cursor, limit, READS } from "./fields.ts";
import { briefly, marked } from "./list-tools.ts";

const WHOLE =
  "Ask again with a smaller `limit` or a larger `max_characters`; get_events with `after` one less than a step's `seq` and `limit` 1 tells that step whole.";

/** Adds the tools that read one conversation. */
export function addSessionTools(server: McpServer, api: ApiInvoker): void {
  server.registerTool(
    "get_conversation",
    {
      title: "Read a conversation",
      description:
        "Tells the facts of a conversation and its messages, oldest first and page by page. For the newest messages, the plan, calls and state use get_view.",
      inputSchema: z.strictObject({
        conversation_id: conversationId,
        cursor,
        limit: limit(200, 50),
        max_characters: room,
      }),
      annotations: READS,
    },
    ({ conversation_id: id, cursor, limit, max_characters }) =>
      answerTool(api, async () => {
        const conversation = briefly(await api.ask<Conversation>(getConversation, { params: { id } }), api);
        const { items, next } = await pageWithin(
          (limit) => api.ask<Page<Message>>(listMessages, { params: { id }, query: { cursor, limit } }),
          limit,
          max_characters,
        );
        return { facts: { conversation, next }, items, room: max_characters, more: WHOLE };
      }),
  );

  server.registerTool(
    "search_conversation",
    {
      title: "Search one conversation",
      description:
        "Searches the messages, state and events of one conversation, the newest step first. One answer looks through a part of a long session: while `next` is not null, there is more before.",
      inputSchema: z.strictObject({
        conversation_id: conversationId,
        q: z.string().min(1).describe("Words that a step must contain, case-insensitive."),
        where: z.enum(FIND_WHERE).optional().describe("Only what was said, values of the state, or other events."),
        cursor,
        limit: limit(200, 20),
        max_characters: room,
      }),
      annotations: READS,
    },
    ({ conversation_id: id, max_characters, ...query }) =>
      answerTool(api, async () => {
        const { items, ...rest } = await pageWithin(
          (limit) => api.ask<SessionSearch>(searchConversation, { params: { id }, query: { ...query, limit } }),
          query.limit,
          max_characters,
        );
        const told = items.map(({ excerpt, ...found }) => ({ ...found, text: marked(excerpt) }));
        return { facts: rest, items: told, room: max_characters, more: WHOLE };
      }),
  );

  server.registerTool(
    "get_events",
    {
      title: "Read events",
      description:
        "Tells the steps of a conversation as they were recorded, oldest first: requests to models, plans, calls with parameters and outputs, writes to the state. Go on with `after` as the `next` of the answer.",
      inputSchema: z.strictObject({
        conversation_id: conversationId,
        after: z.int().min(0).default(0).describe("Only steps with a greater seq."),
        type: z.string().optional().describe("Only events of this type: call.failed, state.written …"),
        limit: limit(1_000, 50),
        max_characters: room,
      }),
      annotations: READS,
    },
    ({ conversation_id: id, max_characters, ...query }) =>
      answerTool(api, async () => {
        const { items, next } = await pageWithin(
          (limit) => api.ask<Page<SessionEvent>>(listEvents, { params: { id }, query: { ...query, limit } }),
          query.limit,
          max_characters,
        );
        return { facts: { next: next === null ? null : Number(next) }, items, room: max_characters, more: WHOLE };
      }),
  );

  server.registerTool(
    "state_history",
    {
      title: "History of a state path",
      description:
        "Tells who wrote and who read a path of the session's state, and at which step, oldest first; paths above and below it count.",
      inputSchema: z.strictObject({
        conversation_id: conversationId,
        path: z.string().describe("A path such as †state.deal.amount."),
        instance: z.string().optional().describe("Only in this instance; empty for what has none."),
        cursor,
        limit: limit(200, 50),
        max_characters: room,
      }),
      annotations: READS,
    },
    ({ conversation_id: id, max_characters, ...query }) =>
      answerTool(api, async () => {
        const { items, next } = await pageWithin(
          (limit) => api.ask<PathHistory>(getStateHistory, { params: { id }, query: { ...query, limit } }),
          query.limit,
          max_characters,
        );
        return { facts: { next }, items, room: max_characters, more: WHOLE };
      }),
  );
}
