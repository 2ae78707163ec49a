import { z } from "zod";
import type { Erasure } from "../../../db/erasures.ts";
import { identifier } from "../../session/catalogue.ts";
import { answerJson, unknownConversation } from "../answer.ts";
import { problem } from "../answers.ts";
import { jsonBody, noBody, noParams, noQuery, operation } from "../operation.ts";
import { Problem } from "../problem.ts";

const kind = z.enum(["user", "conversation"]);

/** An erasure, and how far it is. */
export const erasure = z.object({
  id: z.string(),
  kind,
  target: z.string().nullable().describe("What is erased; null once it is."),
  reason: z.string().nullable().describe("Null once it is erased."),
  receipt: z.string().describe("A keyed digest of the target, by which whoever knows the name can tell it again."),
  phase: z
    .enum(["requested", "erasing", "compacting", "finished"])
    .describe("`compacting`: what is left of it in the database file is cleared."),
  conversations: z.int().describe("Erased so far."),
  events: z.int().describe("Erased so far."),
  requested_at: z.iso.datetime(),
  requested_by: z.string(),
  finished_at: z.iso.datetime().nullable(),
}) satisfies z.ZodType<Erasure>;

/** Asks for an erasure. */
export const postErasure = operation({
  name: "postErasure",
  permission: "admin",
  method: "POST",
  path: "/api/erasures",
  summary:
    "Erases a user, or a conversation with its forks and copies: events keep their places, what people said and who they are is gone. It cannot be undone.",
  params: noParams,
  query: noQuery,
  body: jsonBody(
    z.strictObject({
      kind,
      id: identifier.describe("The user's or the conversation's."),
      reason: z.string().trim().max(500).optional().describe("Forgotten with the rest; do not name anybody in it."),
    }),
  ),
  answers: {
    202: { description: "It has begun, and goes on by itself, also after a restart.", schema: erasure },
    404: { description: "There is no such conversation.", type: "application/problem+json", schema: problem },
  },
  async run({ body: { kind, id, reason }, requester }, { erasures, conversations }) {
    if (kind === "conversation" && !(await conversations.get(id))) throw unknownConversation(id);
    return answerJson(await erasures.request({ kind, id, reason: reason || null }, requester), 202);
  },
});

/** Lists erasures. */
export const listErasures = operation({
  name: "listErasures",
  permission: "admin",
  method: "GET",
  path: "/api/erasures",
  summary: "Lists the newest 100 erasures with how far they are, the newest first.",
  params: noParams,
  query: noQuery,
  body: noBody,
  answers: { 200: { description: "All of them.", schema: z.object({ items: z.array(erasure) }) } },
  run: async (_, { erasures }) => answerJson({ items: await erasures.list() }),
});

/** Answers one erasure. */
export const getErasure = operation({
  name: "getErasure",
  permission: "admin",
  method: "GET",
  path: "/api/erasures/{id}",
  summary: "Answers an erasure and how far it is.",
  params: z.object({ id: identifier }),
  query: noQuery,
  body: noBody,
  answers: { 200: { description: "The erasure.", schema: erasure } },
  async run({ params: { id } }, { erasures }) {
    const found = await erasures.get(id);
    if (!found) throw new Problem("not_found", `There is no erasure of the id ${id}; GET /api/erasures lists them.`);
    return answerJson(found);
  },
});
