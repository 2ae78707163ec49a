import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Conversation, ConversationPage, ListedConfirmation, Page } from "../../db/repositories.ts";
import { confirmationStatus, conversationStatus } from "../api/answers/answers.ts";
import { listConversations } from "../api/operations/conversations/list-conversations.ts";
import { listConfirmations } from "../api/operations/runs/list-confirmations.ts";
import type { Part } from "../session/find/find-words.ts";
import { answerTool, pageWithin, room } from "./answer.ts";
import type { ApiInvoker } from "./api-invoker.ts";
import { conversationId, cursor, limit, READS } from "./fields.ts";

const filters = {
  channel: z.string().optional(),
  status: conversationStatus.optional(),
  stage: z.string().optional(),
  agent_id: z.string().optional(),
  from: z.string().optional().describe("Last active at or after this time, ISO 8601."),
  to: z.string().optional().describe("Last active before this time, ISO 8601."),
};

const SHORTENED = "get_conversation and get_view tell each of them whole.";

/** Adds the tools that list conversations. */
export function addListTools(server: McpServer, api: ApiInvoker): void {
  const find = async (query: { limit: number; cursor?: string; q?: string }, room: number) => {
    const { items, ...rest } = await pageWithin(
      (limit) => api.ask<ConversationPage>(listConversations, { query: { ...query, limit } }),
      query.limit,
      room,
    );
    return { facts: rest, items: items.map((row) => briefly(row, api)), room, more: SHORTENED };
  };

  server.registerTool(
    "list_conversations",
    {
      title: "List conversations",
      description:
        "Lists what agents and people talked about, the last active first, with status, stage, counts and a link to the console. Filters narrow it, `q` searches the words of messages, events, titles and ids.",
      inputSchema: z.strictObject({
        q: z.string().optional().describe("Words that a message or event must have, all of them."),
        ...filters,
        cursor,
        limit: limit(200, 20),
        max_characters: room,
      }),
      annotations: READS,
    },
    ({ max_characters, ...query }) => answerTool(api, () => find(query, max_characters)),
  );

  server.registerTool(
    "search",
    {
      title: "Search all conversations",
      description:
        "Searches the messages and events of all conversations, and tells for each the step at which the words stand (`hit.seq`, which get_view takes as `at`) and the text around them, with the words between ** and **.",
      inputSchema: z.strictObject({
        q: z.string().min(1).describe("Words to be found in one message or event, all of them, in any case."),
        ...filters,
        cursor,
        limit: limit(200, 20),
        max_characters: room,
      }),
      annotations: READS,
    },
    ({ max_characters, ...query }) => answerTool(api, () => find(query, max_characters)),
  );

  server.registerTool(
    "list_confirmations",
    {
      title: "List confirmations",
      description:
        "Lists what agents ask people to approve: what would be done, with which values and why, oldest first. Without a `status` those that still wait for a person. People decide in the console; decide_confirmation does so where it is offered.",
      inputSchema: z.strictObject({
        status: confirmationStatus.default("requested").describe("`requested`: it still waits."),
        conversation_id: conversationId.optional(),
        cursor,
        limit: limit(200, 20),
        max_characters: room,
      }),
      annotations: READS,
    },
    ({ max_characters, ...query }) =>
      answerTool(api, async () => {
        const { items, next } = await pageWithin(
          (limit) => api.ask<Page<ListedConfirmation>>(listConfirmations, { query: { ...query, limit } }),
          query.limit,
          max_characters,
        );
        const told = items.map((item) => ({ ...item, url: api.addressOf(item.conversation_id) }));
        return { facts: { next }, items: told, room: max_characters, more: "get_view tells the whole of its session." };
      }),
  );
}

/** A row of the list without fields that only the console uses. */
export function briefly({ activity: _, hit, ...row }: Conversation, api: ApiInvoker) {
  return {
    ...row,
    url: api.addressOf(row.id),
    ...(hit && { hit: { ...hit, parts: undefined, text: marked(hit.parts) } }),
  };
}

/** A text with the matching words between asterisks. */
export function marked(parts: readonly Part[]): string {
  return parts.map(({ text, marked }) => (marked ? `**${text}**` : text)).join("");
}
