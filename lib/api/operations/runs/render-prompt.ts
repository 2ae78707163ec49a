import { z } from "zod";
import { historyMessage } from "../../../prompt/history/from-messages.ts";
import { zoneOf } from "../../../prompt/zone.ts";
import { identifier, messageRole } from "../../../session/events/catalogue.ts";
import { isJsonObject, type Json } from "../../../session/json/json.ts";
import { jsonObject, jsonValue } from "../../../session/json/json-schema.ts";
import { listOf } from "../../../session/json/list.ts";
import { LOCALES } from "../../../session/locale.ts";
import { answerJson, unknownConversation } from "../../answers/answer.ts";
import { refusal } from "../../answers/answers.ts";
import { renderedPrompt } from "../../answers/prompt-answers.ts";
import { instant } from "../../fields.ts";
import { jsonBody, operation } from "../../operation.ts";
import { Problem } from "../../problem.ts";
import { readJson } from "../../request/body.ts";
import { parse } from "../../sentences.ts";

/** A message as returned by `GET /api/conversations/{id}/messages` and accepted by `POST /api/messages`. */
const givenMessage = z.strictObject({
  role: messageRole,
  content: z.string(),
  id: identifier.nullish(),
  seq: z.int().nullish(),
  name: z.string().max(200).nullish(),
  created_at: instant.nullish().describe("If missing, shown as `--:--`."),
  run_id: identifier.nullish(),
  user_id: identifier.nullish(),
  tool_call_id: z.string().max(200).nullish().describe("For a tool message: the call whose result it is."),
  metadata: jsonObject
    .nullish()
    .describe("`important: true` keeps it longest; `relevant: true` includes a system message."),
});

const timezone = z
  .string()
  .max(200)
  .refine((zone) => zoneOf(zone).known, "must be a time zone name such as Europe/Moscow");

const givenContext = z.strictObject({
  user_id: identifier.nullish(),
  timezone: timezone.nullish().describe("IANA name; by default the system's."),
  household_id: identifier.nullish(),
  now: instant.nullish().describe("By default the current time."),
  locale: z.enum(LOCALES).nullish().describe("By default the agent's, or that of the user's newest message."),
  state: jsonValue.nullish(),
  memory: jsonValue.nullish(),
  configuration: jsonValue.nullish().describe("What the agent plays."),
  state_summary: z.string().nullish(),
  warnings: listOf(z.string()).nullish(),
  tools: listOf(z.strictObject({ name: z.string(), description: z.string().default("") })).nullish(),
  state_calls: listOf(z.string())
    .nullish()
    .describe("Calls whose results are in the state: their messages are kept longer."),
});

// The history itself refuses limits that are too small, with a remedy.
const limit = z.int().nullish();

const promptRequest = z
  .strictObject({
    template: z.string(),
    messages: listOf(givenMessage).optional().describe("The history, oldest first."),
    conversation_id: identifier
      .optional()
      .describe("The conversation to take messages and data from, instead of `messages`."),
    at: z.int().optional().describe("The conversation as of this step; by default the last."),
    context: givenContext.default({}).describe("Overrides the conversation's data; null means no data."),
    limits: z
      .strictObject({ max_tokens: limit, max_chars: limit, max_messages: limit })
      .default({})
      .describe(
        "Limits of the history: at least 32 tokens, 128 characters and 1 message. A missing limit is not applied.",
      ),
  })
  .superRefine(({ messages, conversation_id, at }, { addIssue }) => {
    const refuse = (path: string, message: string) => addIssue({ code: "custom", path: [path], message });
    if (messages === undefined && conversation_id === undefined)
      refuse("messages", "is required without conversation_id");
    if (messages !== undefined && conversation_id !== undefined)
      refuse("messages", "cannot be combined with conversation_id, which has its own messages");
    if (at !== undefined && conversation_id === undefined)
      refuse("at", "requires conversation_id; add it, or omit this field");
  });

/**
 * Twice the maximum of an agent's history: formatting and cutting them takes 0.4 s, during which nothing else is
 * answered.
 */
const MOST_MESSAGES = 20_000;

/** Far more than an agent's instructions have: each is rendered separately and listed in the response. */
const MOST_PLACEHOLDERS = 5_000;

/** Checks the numbers of messages and placeholders before validating each. */
function bounded(body: Json): Json {
  const { messages, template } = isJsonObject(body) ? body : {};
  if (Array.isArray(messages) && messages.length > MOST_MESSAGES)
    throw new Problem(
      "too_many",
      `The request has ${messages.length} messages; send at most the newest ${MOST_MESSAGES}.`,
      { errors: [{ path: "/messages", message: `must have at most ${MOST_MESSAGES} entries` }] },
    );
  if (typeof template === "string" && hasManyPlaceholders(template))
    throw new Problem(
      "too_many",
      `The template has more than ${MOST_PLACEHOLDERS} placeholders; remove some, or render it in parts.`,
      { errors: [{ path: "/template", message: `must have at most ${MOST_PLACEHOLDERS} placeholders` }] },
    );
  return body;
}

function hasManyPlaceholders(template: string): boolean {
  // In a row of braces the last two start a placeholder.
  return (
    template
      .matchAll(/\{\{(?!\{)/g)
      .drop(MOST_PLACEHOLDERS)
      .next().value !== undefined
  );
}

/** Renders a prompt for preview (H1–H5). */
export const renderPrompt = operation({
  name: "renderPrompt",
  permission: "read",
  method: "POST",
  path: "/api/prompts/render",
  summary:
    "Renders a prompt template as for an agent, and reports what was replaced, missing and truncated. Nothing is recorded.",
  body: {
    ...jsonBody(promptRequest),
    read: async (request) => parse(promptRequest, bounded(await readJson(request))),
  },
  answers: {
    200: { description: "The prompt.", schema: renderedPrompt },
    404: refusal("The conversation does not exist."),
    413: refusal("The body or the prompt is too long, or there are too many messages."),
    422: refusal("A limit is too small for any message."),
  },
  async run({ body: { template, messages, conversation_id, at, context, limits } }, { promptTrials }) {
    const { max_tokens = null, max_chars = null, max_messages = null } = limits;
    const from =
      conversation_id === undefined
        ? { messages: (messages ?? []).map(historyMessage) }
        : { conversation_id, at: at ?? null };
    const rendered = await promptTrials.render({
      template,
      limits: { max_tokens, max_chars, max_messages },
      context: { ...context, now: context.now ? Date.parse(context.now) : null },
      from,
    });
    if (!rendered) throw unknownConversation(conversation_id ?? "");
    return answerJson(rendered);
  },
});
