import { pointerTo } from "../plan/problem.ts";
import { readChat } from "./chat-format.ts";
import { exportFormat } from "./export-format.ts";
import { ImportError } from "./import-error.ts";
import { type Entry, FOREIGN_DEPTH, type ImportFormat } from "./import-format.ts";
import type { ImportedConversation } from "./new-event.ts";
import { otlpFormat } from "./otlp/otlp-file.ts";
import { responsesFormat } from "./responses-format.ts";
import { sgrFormat } from "./sgr-format.ts";

/** Chats in OpenAI's format, one per entry. */
const chatFormat: ImportFormat = {
  recognizes: () => true,
  depth: FOREIGN_DEPTH,
  numbers: "refused",
  mostHeld: 0,
  async *read(entries) {
    for await (const entry of entries) yield await conversationOf(entry);
  },
};

async function conversationOf({ value, line, within }: Entry): Promise<ImportedConversation> {
  const read = await readChat(value);
  if (read.ok) return read.conversation;
  const { issue } = read;
  const path = [...within, ...(issue?.path ?? [])];
  const where = path.length > 0 ? path.join(".") : "this";
  throw new ImportError(
    `${where} ${issue?.message ?? "is not valid"}. A conversation is {"id", "messages": [{"role", "content"}]} or our own export`,
    { line, path: pointerTo(path) },
  );
}

/** All import formats, in the order of detection. The last one accepts everything and reports what is supported. */
export const FORMATS: readonly ImportFormat[] = [exportFormat, otlpFormat, sgrFormat, responsesFormat, chatFormat];
