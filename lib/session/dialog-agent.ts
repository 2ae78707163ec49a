import { DIALOG_AGENTS } from "./json/reserved-names.ts";

/** As long as the id of an agent may be. */
const MOST_CHARACTERS = 200;
/** Of an id that is too long, as much as leaves room for its hash. */
const KEPT_CHARACTERS = 180;

/** Where a conversation's last response is kept in the agent state of its dialog (D7). */
export const CHAIN_KEY = "response_id";

/** The agent as which a conversation's dialog keeps its state (D2). An id that would not fit is cut, and told by its hash. */
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
