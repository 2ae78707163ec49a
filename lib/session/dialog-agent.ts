import { DIALOG_AGENTS } from "./json/reserved-names.ts";

/** The maximum length of an agent's id. */
const MOST_CHARACTERS = 200;
/** The prefix kept of an id that is too long; the rest is for its hash. */
const KEPT_CHARACTERS = 180;

/** The agent state key of a conversation's last response id (D7). */
export const CHAIN_KEY = "response_id";

/** The agent whose state stores a conversation's dialog (D2). An id that is too long is cut and gets a hash. */
export function dialogAgent(conversationId: string): string {
  const id = `${DIALOG_AGENTS}${conversationId}`;
  if (id.length <= MOST_CHARACTERS) return id;
  return `${id.slice(0, KEPT_CHARACTERS)}~${hashOf(conversationId)}`;
}

/** FNV-1a of 32 bits over UTF-16 code units. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
