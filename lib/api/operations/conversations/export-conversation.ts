import { z } from "zod";
import type { BookmarkStore, Conversations, ScoreStore } from "../../../../db/repositories.ts";
import type { ExportedConversation } from "../../../intake/export-format.ts";
import type { RedactionRule } from "../../../redaction/rules.ts";
import { unknownConversation } from "../../answers/answer.ts";
import { auditReading } from "../../audited.ts";
import { conversationParams } from "../../fields.ts";
import { operation } from "../../operation.ts";
import { bytesStream } from "../../stream/bytes-stream.ts";
import type { LongReads } from "../../stream/long-reads.ts";
import { redact, redactedBookmarks, redactedScores, rulesOf } from "../../stream/redacted-export.ts";

/** Exports a conversation as NDJSON that can be imported. */
export const exportConversation = operation({
  name: "exportConversation",
  permission: "read",
  method: "GET",
  path: "/api/conversations/{id}/export",
  summary:
    "Exports a conversation as NDJSON: a header with the format version, then events, then bookmarks and scores.",
  params: conversationParams,
  query: z.strictObject({ redact }),
  answers: { 200: { description: "The conversation, one event per line.", type: "application/x-ndjson" } },
  async run({ params: { id }, query, audit }, { config, logger, ...stores }) {
    const rules = rulesOf(query.redact, config);
    const conversation = await exportedOf(id, rules, stores);
    if (!conversation) throw unknownConversation(id);
    const action = {
      action: "conversation.exported",
      target: `conversation:${id}`,
      after: { events: conversation.last_seq },
    } as const;
    await auditReading(action, audit, { logger });
    return new Response(bytesStream(exportOf(conversation, rules, stores.longReads)), {
      headers: ndjsonFile(id.replaceAll(/[^\w.-]/g, "_")),
    });
  },
});

/** The header data of an export; null if there is no such conversation. */
export async function exportedOf(
  id: string,
  rules: readonly RedactionRule[],
  { conversations, bookmarks, scores }: { conversations: Conversations; bookmarks: BookmarkStore; scores: ScoreStore },
): Promise<ExportedConversation | null> {
  // Read before the conversation, so that none is after the export's last step.
  const scored = await scores.list(id);
  const marked = await bookmarks.list(id);
  const conversation = await conversations.get(id);
  if (!conversation || !marked || !scored) return null;
  return {
    ...{ id, last_seq: conversation.last_seq },
    bookmarks: redactedBookmarks(marked, rules),
    scores: redactedScores(scored, rules),
  };
}

/** The bytes of an export. */
export async function* exportOf(
  conversation: ExportedConversation,
  rules: readonly RedactionRule[],
  longReads: LongReads,
): AsyncGenerator<Uint8Array> {
  const reader = longReads.open({ kind: "export", conversation, rules });
  try {
    for (let chunk = await reader.next(); chunk; chunk = await reader.next()) yield chunk.bytes;
  } finally {
    reader.close();
  }
}

/** Headers for downloading a file with this name. */
export function ndjsonFile(name: string): Record<string, string> {
  return {
    "content-type": "application/x-ndjson",
    "content-disposition": `attachment; filename="${name}.ndjson"`,
    "cache-control": "no-store",
  };
}
