import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Confirmation } from "../../db/repositories.ts";
import { decideConfirmation } from "../api/operations/runs/decide-confirmation.ts";
import { identifier } from "../session/events/catalogue.ts";
import { answerTool, room } from "./answer.ts";
import type { ApiInvoker } from "./api-invoker.ts";

/**
 * Adds the tool for decisions (P22a), if the caller may decide. Actions cannot be edited here: in the console a person
 * sees what they change.
 */
export function addDecisionTool(server: McpServer, api: ApiInvoker): void {
  server.registerTool(
    "decide_confirmation",
    {
      title: "Decide a confirmation",
      description:
        "Approves or denies what an agent asked a person for, once and for all: what is approved is carried out at once, outside of Obelus, too. Call it only when the person whom you work for has told you to decide this very confirmation; show them `action` and `before` of list_confirmations first. The decision is recorded with the name of the API key.",
      inputSchema: z.strictObject({
        confirmation_id: identifier.describe("The confirmation's `id`, as list_confirmations tells it."),
        requested_seq: z
          .int()
          .min(1)
          .describe(
            "The confirmation's `requested_seq`, as you have shown it: its agent may ask for something else since.",
          ),
        decision: z.enum(["approve", "deny"]),
        reason: z.string().max(10_000).optional().describe("Why, in the person's words; it is recorded."),
        max_characters: room,
      }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    },
    ({ confirmation_id: id, requested_seq, decision, reason, max_characters }) =>
      answerTool(api, async () => {
        const body = { decision, reason, requested_seq };
        const confirmation = await api.ask<Confirmation>(decideConfirmation, { params: { id }, body });
        const facts = { ...confirmation, url: api.addressOf(confirmation.conversation_id) };
        return { facts, room: max_characters, more: "get_view tells the whole of its session." };
      }),
  );
}
