import { z } from "zod";
import type { InferredEdges } from "../../../../db/repositories.ts";
import { answerJson, unknownConversation } from "../../answers/answer.ts";
import { conversationParams } from "../../fields.ts";
import { operation } from "../../operation.ts";

const callPlace = z.object({
  run_id: z.string(),
  iteration: z.int(),
  instance: z.string(),
  call_id: z.string(),
});

/** Inferred edges. */
export const inferredEdges = z.object({
  items: z.array(
    z.object({
      from: z.discriminatedUnion("kind", [
        z.object({
          kind: z.literal("call"),
          call: callPlace,
          path: z
            .string()
            .describe("JSON Pointer into the call's result; it goes on in a text that is a JSON document."),
        }),
        z.object({ kind: z.literal("message"), message_id: z.string(), seq: z.int(), role: z.string() }),
      ]),
      to: callPlace,
      to_path: z.string().describe("JSON Pointer into the parameters."),
      value: z
        .string()
        .describe("The value as text, cut to 200 characters; of a longer parameter, the part that was used."),
    }),
  ),
  cut: z.boolean().describe("Incomplete: the session, or a value in it, is too large to search fully."),
}) satisfies z.ZodType<InferredEdges>;

/** Lists inferred edges: where calls without a plan used values of earlier calls or messages (E15). */
export const getInferredEdges = operation({
  name: "getInferredEdges",
  permission: "read",
  method: "GET",
  path: "/api/conversations/{id}/inferred-edges",
  summary: "Lists inferred edges: where a recorded call used a value from an earlier result or message.",
  params: conversationParams,
  query: z.strictObject({
    run_id: z.string().max(200).optional().describe("Only calls of this run and its delegates; by default all."),
  }),
  answers: {
    200: {
      description: "Edges in call order, each with the value and its paths. Calls of plans have none.",
      schema: inferredEdges,
    },
  },
  async run({ params: { id }, query: { run_id = null } }, { sessions }) {
    const edges = await sessions.inferredEdges(id, run_id);
    if (edges === null) throw unknownConversation(id);
    return answerJson(edges);
  },
});
