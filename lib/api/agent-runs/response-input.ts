import { z } from "zod";
import { identifier } from "../../session/events/catalogue.ts";
import { LONGEST_MESSAGE } from "./thread.ts";

/** Items of an input; what a conversation has already is not sent again. */
const MOST_ITEMS = 1_000;

const LONGEST_INSTRUCTIONS = 100_000;

/** A text, or a list of texts, as one. A text is a list of one part first, so that what is wrong with a part is told. */
const words = z.preprocess(
  (value) => (typeof value === "string" ? [{ type: "input_text", text: value }] : value),
  z
    .array(
      z.object({
        type: z.enum(["input_text", "output_text", "text"], "must be input_text: agents read only text"),
        text: z.string(),
      }),
      "must be a text, or a list of input_text parts",
    )
    .transform((parts) => parts.map(({ text }) => text).join("\n\n"))
    .refine((text) => text.length <= LONGEST_MESSAGE, `must have at most ${LONGEST_MESSAGE} characters`),
);

const message = z.object({
  type: z.literal("message"),
  role: z.enum(["user", "assistant", "system", "developer"]),
  content: words,
});
const callOutput = z.object({ type: z.literal("function_call_output"), call_id: z.string().max(200), output: words });
/** Repeated by callers that send everything that was said; the run has them. */
const repeated = z.object({ type: z.enum(["function_call", "reasoning", "item_reference"]) });
const item = z.preprocess(
  (value) =>
    typeof value === "object" && value !== null && !("type" in value) ? { ...value, type: "message" } : value,
  z.discriminatedUnion("type", [message, callOutput, repeated], "must be a message or function_call_output"),
);

/** What is done with each field is in docs/agents.md; what only models have, such as `temperature`, is the agent's matter. */
export const responseInput = z.object({
  model: identifier.describe("The agent."),
  input: z.preprocess(
    (value) => (typeof value === "string" ? [{ role: "user", content: value }] : value),
    z
      .array(item, "must be a text, or a list of input items")
      .min(1, "must not be empty")
      .max(MOST_ITEMS, `must have at most ${MOST_ITEMS} items`),
  ),
  instructions: z
    .string()
    .max(LONGEST_INSTRUCTIONS, `must have at most ${LONGEST_INSTRUCTIONS} characters`)
    .nullish()
    .describe("Told to the agent as data, beside its own instructions."),
  stream: z.boolean().nullish(),
  previous_response_id: z.string().max(200).nullish().describe("The response whose conversation goes on."),
  conversation: z
    .union([identifier, z.object({ id: identifier }).transform(({ id }) => id)])
    .nullish()
    .describe("The conversation; it is created if it does not exist."),
  metadata: z.record(z.string().max(64), z.string().max(512)).nullish(),
  user: identifier.nullish().describe("The user whose memory the agent uses, of a new conversation."),
  tools: z
    .array(
      z.object({
        type: z.literal("function", "must be function: other tools are the agent's own"),
        name: identifier,
        description: z.string().nullish(),
        parameters: z.unknown(),
      }),
    )
    .nullish()
    .describe("Functions that the caller carries out: their calls end the response."),
  tool_choice: z.enum(["auto", "none"], "must be auto or none: the agent chooses").nullish(),
  text: z
    .object({
      format: z.object({ type: z.literal("text", "must be text: an agent answers in words") }).nullish(),
    })
    .nullish(),
  background: z.literal(false, "must be false: leave the stream, and read the response later").nullish(),
});
export type ResponseInput = z.infer<typeof responseInput>;
