import { z } from "zod";
import type { JsonObject } from "../../session/json/json.ts";
import { STAGES } from "../agent.ts";
import { configuration } from "./configuration.ts";

/** The main graph's state of a turn, updated by its nodes (D3). */
export const conversationState = z.object({
  /** The user's message. */
  message: z.string(),
  /** The response id that the conversation continues from at the turn's start (D7). */
  previous_response_id: z.string().nullable(),
  /** The conversation's id. */
  chat_id: z.string().nullable(),
  /** The stored one until it is detected; null for none. */
  stage: z.enum(STAGES).nullable(),
  /** The demonstration's configuration. */
  extracted_info: configuration.nullable(),
  /** The answer to the user. */
  answer: z.string(),
  /** The alert for managers; a turn that raises one ends before the graph does (D9). */
  manager_alert: z.string().nullable(),
  /** The last agent that answered. */
  agent_name: z.string().nullable(),
  used_tools: z.array(z.string()),
  /** The id of the last response. */
  response_id: z.string().nullable(),
});
export type ConversationState = z.infer<typeof conversationState>;

/** The maximum length of texts that the log has in full as messages. */
const TOLD_CHARACTERS = 500;

/** A state as recorded, with shortened texts. */
export function toldState(state: ConversationState): JsonObject {
  return { ...state, message: beginningOf(state.message), answer: beginningOf(state.answer) };
}

function beginningOf(text: string): string {
  if (text.length <= TOLD_CHARACTERS) return text;
  // Half of a surrogate pair is not valid text.
  return `${text.slice(0, TOLD_CHARACTERS).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
