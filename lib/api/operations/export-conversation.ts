import { z } from "zod";
import type { BookmarkStore, Conversations, Events } from "../../../db/repositories.ts";
import { type ExportedConversation, writeExport } from "../../intake/export-format.ts";
import type { RedactionRule } from "../../redaction/rules.ts";
import type { SessionEvent } from "../../session/event.ts";
import { unknownConversation } from "../answer.ts";
import { auditReading } from "../audited.ts";
import { conversationParams } from "../fields.ts";
import { noBody, operation } from "../operation.ts";
import { redact, redacted, redactedBookmarks, rulesOf } from "../redacted-export.ts";
import { textStream } from "../text-stream.ts";

/** Events read at a time: few enough that reading them never holds up writers for long. */
const PAGE = 200;

/** Answers a whole conversation as NDJSON, to be imported again anywhere. */
export const exportConversation = operation({
  name: "exportConversation",
  permission: "read",
  method: "GET",
  path: "/api/conversations/{id}/export",
  summary:
    "Answers a whole conversation as NDJSON: a header with the format's version, then each event, then each bookmark.",
  params: conversationParams,
  query: z.strictObject({ redact }),
  body: noBody,
  answers: { 200: { description: "The conversation, a line an event.", type: "application/x-ndjson" } },
  async run({ params: { id }, query, audit }, { config, logger, ...stores }) {
    const rules = rulesOf(query.redact, config);
    const conversation = await exportedOf(id, rules, stores);
    if (!conversation) throw unknownConversation(id);
    const deed = {
      action: "conversation.exported",
      target: `conversation:${id}`,
      after: { events: conversation.last_seq },
    } as const;
    await auditReading(deed, audit, { logger });
    return new Response(textStream(exportOf(conversation, rules, stores.events)), {
      headers: ndjsonFile(id.replaceAll(/[^\w.-]/g, "_")),
    });
  },
});

/** What is exported of a conversation beside its events; null where there is no such conversation. */
export async function exportedOf(
  id: string,
  rules: readonly RedactionRule[],
  { conversations, bookmarks }: { conversations: Conversations; bookmarks: BookmarkStore },
): Promise<ExportedConversation | null> {
  // Before the conversation, so that no bookmark is of a step that comes after the export's last.
  const marked = await bookmarks.list(id);
  const conversation = await conversations.get(id);
  if (!conversation || !marked) return null;
  return { id, last_seq: conversation.last_seq, bookmarks: redactedBookmarks(marked, rules) };
}

/** The lines of an export. */
export function exportOf(
  conversation: ExportedConversation,
  rules: readonly RedactionRule[],
  events: Events,
): AsyncGenerator<string> {
  return writeExport(conversation, redacted(eventsUpTo(events, conversation), rules));
}

/** The export ends where the conversation ended when it began. */
async function* eventsUpTo(events: Events, { id, last_seq: last }: ExportedConversation): AsyncGenerator<SessionEvent> {
  for (let after = 0; after < last; ) {
    const found = await events.list(id, { after, limit: Math.min(PAGE, last - after) });
    if (found.length === 0)
      throw new Error(`The conversation ${id} has no events after ${after} though it ends at ${last}`);
    yield* found;
    after += found.length;
  }
}

/** The headers of an answer that is saved under this name. */
export function ndjsonFile(name: string): Record<string, string> {
  return {
    "content-type": "application/x-ndjson",
    "content-disposition": `attachment; filename="${name}.ndjson"`,
    "cache-control": "no-store",
  };
}
