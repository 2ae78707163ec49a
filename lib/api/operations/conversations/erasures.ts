import { z } from "zod";
import type { Erasure } from "../../../../db/erasures.ts";
import { identifier } from "../../../session/events/catalogue.ts";
import { answerJson, unknownConversation } from "../../answers/answer.ts";
import { refusal } from "../../answers/answers.ts";
import { jsonBody, operation } from "../../operation.ts";
import { Problem } from "../../problem.ts";

const kind = z.enum(["user", "conversation"]);

/** An erasure and its progress. */
export const erasure = z.object({
  id: z.string(),
  kind,
  target: z.string().nullable().describe("What is being erased; null when done."),
  reason: z.string().nullable().describe("Null when done."),
  receipt: z.string().describe("A keyed digest of the target; whoever knows the name can verify it."),
  phase: z
    .enum(["requested", "erasing", "compacting", "finished"])
    .describe("`compacting`: remaining traces in the database file are being overwritten."),
  conversations: z.int().describe("Erased so far."),
  events: z.int().describe("Erased so far."),
  requested_at: z.iso.datetime(),
  requested_by: z.string(),
  finished_at: z.iso.datetime().nullable(),
}) satisfies z.ZodType<Erasure>;

/** Requests an erasure. */
export const postErasure = operation({
  name: "postErasure",
  permission: "admin",
  method: "POST",
  path: "/api/erasures",
  summary:
    "Erases a user, or a conversation with its forks and copies: events keep their places, their content is removed. This cannot be undone.",
  body: jsonBody(
    z.strictObject({
      kind,
      id: identifier.describe("The id of the user or conversation."),
      reason: z.string().trim().max(500).optional().describe("Erased with the rest; do not name anybody in it."),
    }),
  ),
  answers: {
    202: { description: "Started. It continues in the background, even after a restart.", schema: erasure },
    404: refusal("The conversation does not exist."),
  },
  async run({ body: { kind, id, reason }, requester }, { erasures, conversations, suites }) {
    // Retention leaves its cases.
    const isKnown = kind === "user" || (await conversations.get(id)) !== null || (await suites.hasCaseOf(id));
    if (!isKnown) throw unknownConversation(id);
    return answerJson(await erasures.request({ kind, id, reason: reason || null }, requester), 202);
  },
});

/** Lists erasures. */
export const listErasures = operation({
  name: "listErasures",
  permission: "admin",
  method: "GET",
  path: "/api/erasures",
  summary: "Lists the newest 100 erasures with their progress, newest first.",
  answers: { 200: { description: "All of them.", schema: z.object({ items: z.array(erasure) }) } },
  run: async (_, { erasures }) => answerJson({ items: await erasures.list() }),
});

/** Returns an erasure. */
export const getErasure = operation({
  name: "getErasure",
  permission: "admin",
  method: "GET",
  path: "/api/erasures/{id}",
  summary: "Returns an erasure and its progress.",
  params: z.object({ id: identifier }),
  answers: { 200: { description: "The erasure.", schema: erasure } },
  async run({ params: { id } }, { erasures }) {
    const found = await erasures.get(id);
    if (!found) throw new Problem("not_found", `There is no erasure ${id}; list them with GET /api/erasures.`);
    return answerJson(found);
  },
});
