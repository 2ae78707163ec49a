import { createHash } from "node:crypto";

/** As long as the id of an agent may be. */
const MOST_CHARACTERS = 200;

/** Under which agent a conversation's dialog is kept. An id that would not fit is told by its hash. */
export function dialogAgent(conversationId: string): string {
  const id = `dialog:${conversationId}`;
  return id.length <= MOST_CHARACTERS ? id : `dialog:${createHash("sha256").update(conversationId).digest("hex")}`;
}
