import { z } from "zod";
import { parseTemplate } from "../prompt/template.ts";
import { tokensIn } from "../prompt/tokens.ts";
import { zoneOf } from "../prompt/zone.ts";
import { identifier } from "../session/events/catalogue.ts";
import { listOf } from "../session/json/list.ts";
import { LOCALES } from "../session/locale.ts";
import { MOST_CHARACTERS, MOST_MESSAGES } from "./history.ts";

/** How and how much of the message history reaches the model (H4). Tokens are estimated, characters are code points. */
const history = z.strictObject({
  /** `prompt`: at `{{messageHistory}}` in the instructions. `provider`: as input items. Never both. */
  source: z.enum(["prompt", "provider"]).default("provider"),
  max_tokens: z.int().min(32).max(tokensIn(MOST_CHARACTERS)).default(4_000),
  max_chars: z.int().min(128).max(MOST_CHARACTERS).optional(),
  max_messages: z.int().min(1).max(MOST_MESSAGES).default(200),
});

/** The stages of a conversation (D2). */
export const STAGES = ["admin", "demo", "demo_setup"] as const;
export type Stage = (typeof STAGES)[number];

const prefix = z.string().max(100).default("");

const LONGEST_INSTRUCTIONS = 100_000;

/** The fields of an agent's definition. */
export const agentFields = z.strictObject({
  description: z.string().max(10_000).default(""),
  /** The prompt, with placeholders (H1). */
  instructions: z.string().min(1, "must not be empty").max(LONGEST_INSTRUCTIONS),
  /** The names of its tools; null for all. */
  tools: listOf(identifier).nullable().default(null),
  /** `shadow`: nothing is executed. `canary`: only calls that read or create. `full`: everything (M13). */
  mode: z.enum(["shadow", "canary", "full"]).default("shadow"),
  /** The language of the server's own messages to users, and of the history in its prompt. */
  locale: z.enum(LOCALES).default("en"),
  /** The default IANA time zone of users. */
  timezone: z
    .string()
    .max(200)
    .refine((name) => zoneOf(name).known, 'must be a time zone such as "Europe/Moscow"')
    .optional(),
  history: history.prefault({}),
  /** It answers in conversations that name no agent; of several, the last written counts. */
  default: z.boolean().default(false),
  max_iterations: z.int().min(1).max(100).optional(),
  /** The stage in which it answers (D1); of several agents, the last written counts. Null: none. */
  stage: z.enum(STAGES).nullable().default(null),
  /** The prefix of its answers, by the conversation's language (D4). */
  prefix: z.strictObject({ en: prefix, ru: prefix }).prefault({}),
});

/** The definition of an agent (D4): a file in the agents' folder, or written by `PUT /api/agents/{id}`. */
export const agentDefinition = agentFields.superRefine(({ instructions, history: { source } }, context) => {
  // Refused by its length before parsing.
  if (instructions.length > LONGEST_INSTRUCTIONS) return;
  const isNamed = parseTemplate(instructions).some(
    (part) => part.kind === "placeholder" && part.name === "messageHistory" && part.path === null,
  );
  if (isNamed === (source === "prompt")) return;
  const message = isNamed
    ? 'must be "prompt" when the instructions contain {{messageHistory}}; otherwise the model would read the history twice'
    : 'is "prompt", so the instructions must contain {{messageHistory}} where the history belongs';
  context.addIssue({ code: "custom", path: ["history", "source"], message });
});
export type AgentDefinition = z.infer<typeof agentDefinition>;

/** An agent of this server. At most one has `default`, and at most one has each stage. */
export interface Agent extends AgentDefinition {
  id: string;
  /** The version of the stored definition; 0 for a file. */
  version: number;
  source: "file" | "api";
}
