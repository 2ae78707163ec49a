import { z } from "zod";
import type { JsonObject } from "../session/json/json.ts";
import { STAGES } from "./agent.ts";
import { configuration } from "./configuration.ts";

/** What the main graph knows of a turn, node by node (D3). */
export const conversationState = z.object({
  /** What the user said. */
  message: z.string(),
  /** The response that the conversation went on from when the turn began (D7). */
  previous_response_id: z.string().nullable(),
  /** The conversation's id. */
  chat_id: z.string().nullable(),
  /** The stored one before it is detected; null for none. */
  stage: z.enum(STAGES).nullable(),
  /** The demonstration's configuration. */
  extracted_info: configuration.nullable(),
  /** What the user gets. */
  answer: z.string(),
  /** What managers were told; a turn in which they are called ends before the graph does (D9). */
  manager_alert: z.string().nullable(),
  /** The agent that spoke last. */
  agent_name: z.string().nullable(),
  used_tools: z.array(z.string()),
  /** Of the last response. */
  response_id: z.string().nullable(),
});
export type ConversationState = z.infer<typeof conversationState>;

/** Of a text that the log has whole as a message. */
const TOLD_CHARACTERS = 500;

/** A state as the log tells it: of what is said in it as much as tells one from another. */
export function toldState(state: ConversationState): JsonObject {
  return { ...state, message: beginningOf(state.message), answer: beginningOf(state.answer) };
}

function beginningOf(text: string): string {
  if (text.length <= TOLD_CHARACTERS) return text;
  // Half of a surrogate pair is no text.
  return `${text.slice(0, TOLD_CHARACTERS).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
