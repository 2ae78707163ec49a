import { z } from "zod";
import type { Events } from "../../../db/repositories.ts";
import { writeExport } from "../../intake/export-format.ts";
import type { SessionEvent } from "../../session/event.ts";
import { unknownConversation } from "../answer.ts";
import { auditReading } from "../audited.ts";
import { conversationParams } from "../fields.ts";
import { noBody, operation } from "../operation.ts";
import { redact, redacted, rulesOf } from "../redacted-export.ts";
import { textStream } from "../text-stream.ts";

/** Events read at a time: few enough that reading them never holds up writers for long. */
const PAGE = 200;

/** Answers a whole conversation as NDJSON, to be imported again anywhere. */
export const exportConversation = operation({
  name: "exportConversation",
  permission: "read",
  method: "GET",
  path: "/api/conversations/{id}/export",
  summary: "Answers a whole conversation as NDJSON: a header with the format's version, then each event.",
  params: conversationParams,
  query: z.strictObject({ redact }),
  body: noBody,
  answers: { 200: { description: "The conversation, a line an event.", type: "application/x-ndjson" } },
  async run({ params: { id }, query, audit }, { config, conversations, events, logger }) {
    const conversation = await conversations.get(id);
    if (!conversation) throw unknownConversation(id);
    const { last_seq } = conversation;
    const deed = {
      action: "conversation.exported",
      target: `conversation:${id}`,
      after: { events: last_seq },
    } as const;
    await auditReading(deed, audit, { logger });
    const rules = rulesOf(query.redact, config);
    return new Response(textStream(writeExport({ id, last_seq }, redacted(eventsUpTo(events, id, last_seq), rules))), {
      headers: ndjsonFile(id.replaceAll(/[^\w.-]/g, "_")),
    });
  },
});

/** The export ends where the conversation ended when it began. */
export async function* eventsUpTo(events: Events, id: string, last: number): AsyncGenerator<SessionEvent> {
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
