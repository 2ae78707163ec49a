import { pointerTo } from "../plan/problem.ts";
import { sentence } from "../session/issues.ts";
import { chatConversation, chatEvents } from "./chat-format.ts";
import { ImportError } from "./import-error.ts";
import { type Entry, FOREIGN_DEPTH, type ImportFormat } from "./import-format.ts";
import type { ImportedConversation } from "./new-event.ts";

/** Chats in OpenAI's format: one an entry. */
export const chatFormat: ImportFormat = {
  recognizes: () => true,
  depth: FOREIGN_DEPTH,
  numbers: "refused",
  async *read(entries) {
    for await (const entry of entries) yield readChat(entry);
  },
};

function readChat({ value, line, within }: Entry): ImportedConversation {
  const parsed = chatConversation.safeParse(value, { error: sentence });
  if (parsed.success) return chatEvents(parsed.data);
  const [issue] = parsed.error.issues;
  const path = [...within, ...(issue?.path ?? [])];
  const where = path.length > 0 ? path.join(".") : "this";
  throw new ImportError(
    `${where} ${issue?.message ?? "is not valid"}. A conversation is {"id", "messages": [{"role", "content"}]} or our own export`,
    { line, path: pointerTo(path) },
  );
}
