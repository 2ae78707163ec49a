import { randomUUIDv7 } from "node:crypto";
import { z } from "zod";
import type { AuditedAction } from "../../../access/audit.ts";
import type { Caller } from "../../../access/caller.ts";
import { yielding } from "../../../event-loop/yielding.ts";
import type { ImportState } from "../../../intake/imports-in-progress.ts";
import type { ImportedConversation } from "../../../intake/new-event.ts";
import { identifier } from "../../../session/events/catalogue.ts";
import { answerJson } from "../../answers/answer.ts";
import { requireAuthorityToImport, requirePermission } from "../../event-authority.ts";
import { type Body, operation } from "../../operation.ts";
import { Problem } from "../../problem.ts";
import { type ByteStream, canRespond, readStream } from "../../request/body.ts";
import { holdBytes } from "../../request/held-bytes.ts";

const fileBody: Body<ByteStream> = {
  content: { "application/json": null, "application/x-ndjson": null, "application/octet-stream": null },
  read: async (request) => readStream(request),
};

/** Imports conversations from a streamed file of any supported format. */
export const importConversations = operation({
  name: "importConversations",
  permission: "ingest",
  method: "POST",
  path: "/api/import",
  summary:
    "Imports conversations: Obelus exports, OpenAI chats or Responses, OTLP traces, reasoning traces (JSON or NDJSON), or a LangGraph checkpoint file, up to 512 MB, optionally gzipped. Existing conversations stay unchanged. Files that record acts of people, as most Obelus exports do, require the scope decide.",
  query: z.strictObject({
    as: z.enum(["copy"]).optional().describe("Imports under new ids, next to existing conversations."),
    id: identifier.optional().describe("An id of your choice, to query the progress."),
    alerts: z
      .enum(["open"])
      .optional()
      .describe(
        "Keeps pending confirmations and alerts open and notifies people; by default imports are history and notify nobody.",
      ),
  }),
  body: fileBody,
  answers: {
    201: {
      description: "The result for each conversation; at least one is new.",
      schema: z.object({
        conversations: z.array(z.object({ conversation_id: z.string(), created: z.boolean(), events: z.int() })),
      }),
    },
    200: { description: "The same; all of them already existed." },
  },
  async run({ body, query, signal, requester, audit }, { log, imports, readImport }) {
    const id = query.id ?? randomUUIDv7();
    const begun = imports.begin(id);
    if (!begun) throw new Problem("conflict", `The import ${id} is in progress; use another id.`);
    const copyId = query.as === "copy" ? () => randomUUIDv7() : undefined;
    const held = holdBytes();
    try {
      const conversations = await refusing(body, signal, () =>
        log.importConversations(
          permitted(readImport(counted(body.bytes, begun.state), { copyId, held: held.add }), requester.caller),
          signal,
          (progress) => Object.assign(begun.state, progress),
          query.alerts === "open" ? "program" : "import",
        ),
      );
      const created = conversations.filter((conversation) => conversation.created);
      if (created.length > 0) await audit(importOf(created));
      return answerJson({ conversations }, created.length > 0 ? 201 : 200);
    } finally {
      held.free();
      begun.end();
    }
  },
});

/**
 * The same conversations. Throws a `Problem` at the first event or bookmark that the caller may not record; then
 * nothing is imported.
 */
async function* permitted(
  conversations: AsyncIterable<ImportedConversation>,
  caller: Caller,
): AsyncGenerator<ImportedConversation> {
  for await (const conversation of conversations) {
    const { conversation_id, events, bookmarks = [], scores = [], notes = [], isDerived = false } = conversation;
    for await (const event of yielding(events))
      requireAuthorityToImport(caller, { ...event, conversation_id, isDerived });
    // Counted as events, which they were in older versions.
    for (const { seq, by } of bookmarks)
      requireAuthorityToImport(caller, {
        ...{ id: conversation_id, conversation_id, type: "conversation.bookmarked", actor: by, payload: { seq } },
      });
    // What people said of it, and what a server's judges and rules found, is said in their name.
    for (const { by, source } of scores)
      if (source !== "program")
        requirePermission(caller, { authority: "decide", because: `a score of ${by ?? source}` });
    for (const { by } of notes)
      requirePermission(caller, { authority: "decide", because: `a note of ${by ?? "a person"}` });
    // A program's judgement is in its own name, as an event is.
    for (const { by } of scores)
      requireAuthorityToImport(caller, { id: conversation_id, conversation_id, type: "log", actor: by, payload: {} });
    yield conversation;
  }
}

/** The audit entry of an import with new conversations. */
function importOf(created: readonly { conversation_id: string; events: number }[]): AuditedAction {
  const [only, another] = created;
  return {
    action: "conversations.imported",
    target: only && !another ? `conversation:${only.conversation_id}` : null,
    after: { conversations: created.length, events: created.reduce((sum, { events }) => sum + events, 0) },
  };
}

/** Returns the progress of an import. */
export const getImport = operation({
  name: "getImport",
  permission: "ingest",
  method: "GET",
  path: "/api/import/{id}",
  summary: "Returns the progress of an import; 404 before it starts and after it ends.",
  params: z.object({ id: identifier }),
  answers: {
    200: {
      description: "Bytes received, entries read and events stored.",
      schema: z.object({
        phase: z.enum(["reading", "waiting", "storing"]).describe("`waiting`: another import is being stored."),
        bytes: z.int(),
        conversations: z.int(),
        events: z.int(),
        stored: z.int(),
      }),
    },
  },
  async run({ params: { id } }, { imports }) {
    const state = imports.get(id);
    if (!state) throw new Problem("not_found", `No import ${id} is in progress.`);
    return answerJson(state);
  },
});

async function* counted(bytes: AsyncIterable<Uint8Array>, state: ImportState): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    state.bytes += chunk.byteLength;
    yield chunk;
  }
}

/** Turns errors of the file into problems, after the client has sent enough to read a response. */
async function refusing<T>(body: ByteStream, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (canRespond(signal)) await body.discard();
    if (!(error instanceof Error && error.name === "ImportError")) throw error;
    const { line, path, tooLarge } = refusal.parse(error);
    const place = line === null ? "" : `/${line - 1}`;
    throw new Problem(tooLarge ? "too_large" : "invalid_input", `${error.message}.`, {
      errors: [{ path: `${place}${path}`, message: error.message }],
    });
  }
}

/**
 * The fields of an `ImportError`. Identified by name, not by class: Next's bundles and the server load the file twice.
 */
const refusal = z.object({ line: z.int().nullable(), path: z.string(), tooLarge: z.boolean() });
