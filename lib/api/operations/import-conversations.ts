import { randomUUIDv7 } from "node:crypto";
import { z } from "zod";
import type { Deed } from "../../access/audit.ts";
import type { Caller } from "../../access/caller.ts";
import { yielding } from "../../event-loop/yielding.ts";
import type { ImportState } from "../../intake/imports-under-way.ts";
import type { ImportedConversation } from "../../intake/new-event.ts";
import { identifier } from "../../session/catalogue.ts";
import { answerJson } from "../answer.ts";
import { type ByteStream, isHeard, readStream } from "../body.ts";
import { requireAuthority } from "../event-authority.ts";
import { holdBytes } from "../held-bytes.ts";
import { type Body, noBody, noParams, noQuery, operation } from "../operation.ts";
import { Problem } from "../problem.ts";

const fileBody: Body<ByteStream> = {
  content: { "application/json": null, "application/x-ndjson": null, "application/octet-stream": null },
  read: async (request) => readStream(request),
};

/** Imports conversations from a file as it streams in, whatever its format. */
export const importConversations = operation({
  name: "importConversations",
  permission: "ingest",
  method: "POST",
  path: "/api/import",
  summary:
    "Imports conversations: an export of Obelus, chats or Responses of OpenAI, traces of OTLP, reasoning traces (JSON, or one a line), a file of LangGraph's checkpoints; packed by gzip or not, to 512 MB. What is there already is left as it is. What tells of a person, as most exports of Obelus do, asks for the scope decide.",
  params: noParams,
  query: z.strictObject({
    as: z.enum(["copy"]).optional().describe("Imports under new ids, beside what is there."),
    id: identifier.optional().describe("An id of your choice, by which you can ask how far the import is."),
    alerts: z
      .enum(["open"])
      .optional()
      .describe(
        "What waits in it waits here, and its alerts call managers; by default it is history and calls nobody.",
      ),
  }),
  body: fileBody,
  answers: {
    201: {
      description: "What became of each conversation; at least one is new.",
      schema: z.object({
        conversations: z.array(z.object({ conversation_id: z.string(), created: z.boolean(), events: z.int() })),
      }),
    },
    200: { description: "The same; all of them were there already." },
  },
  async run({ body, query, signal, requester, audit }, { log, imports, readImport }) {
    const id = query.id ?? randomUUIDv7();
    const begun = imports.begin(id);
    if (!begun)
      throw new Problem("conflict", `An import of the id ${id} is under way; give this one an id of its own.`);
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
 * The same conversations. Throws a `Problem` at the first event or bookmark that the caller may not tell; then nothing is
 * imported.
 */
async function* permitted(
  conversations: AsyncIterable<ImportedConversation>,
  caller: Caller,
): AsyncGenerator<ImportedConversation> {
  for await (const conversation of conversations) {
    const { conversation_id, events, bookmarks = [], isDerived = false } = conversation;
    for await (const event of yielding(events)) requireAuthority(caller, { ...event, conversation_id, isDerived });
    // As the events that they once were: they tell of people.
    for (const { seq, by } of bookmarks)
      requireAuthority(caller, {
        ...{ id: conversation_id, conversation_id, type: "conversation.bookmarked", actor: by, payload: { seq } },
      });
    yield conversation;
  }
}

/** What the audit tells of an import that brought something. */
function importOf(created: readonly { conversation_id: string; events: number }[]): Deed {
  const [only, another] = created;
  return {
    action: "conversations.imported",
    target: only && !another ? `conversation:${only.conversation_id}` : null,
    after: { conversations: created.length, events: created.reduce((sum, { events }) => sum + events, 0) },
  };
}

/** Tells how far an import is. */
export const getImport = operation({
  name: "getImport",
  permission: "ingest",
  method: "GET",
  path: "/api/import/{id}",
  summary: "Answers how far an import is that was sent with this id; 404 before it begins and after it has ended.",
  params: z.object({ id: identifier }),
  query: noQuery,
  body: noBody,
  answers: {
    200: {
      description: "What has come in and been read, and how many of those events are stored.",
      schema: z.object({
        phase: z.enum(["reading", "waiting", "storing"]).describe("It waits while another import is stored."),
        bytes: z.int(),
        conversations: z.int(),
        events: z.int(),
        stored: z.int(),
      }),
    },
  },
  async run({ params: { id } }, { imports }) {
    const state = imports.get(id);
    if (!state) throw new Problem("not_found", `No import of the id ${id} is under way.`);
    return answerJson(state);
  },
});

async function* counted(bytes: AsyncIterable<Uint8Array>, state: ImportState): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    state.bytes += chunk.byteLength;
    yield chunk;
  }
}

/** Turns what is wrong with the file into a problem, once the client has sent enough of it to listen. */
async function refusing<T>(body: ByteStream, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isHeard(signal)) await body.discard();
    if (!(error instanceof Error && error.name === "ImportError")) throw error;
    const { line, path, tooLarge } = refusal.parse(error);
    const place = line === null ? "" : `/${line - 1}`;
    throw new Problem(tooLarge ? "too_large" : "invalid_input", `${error.message}.`, {
      errors: [{ path: `${place}${path}`, message: error.message }],
    });
  }
}

/** What an `ImportError` carries. By its name and not by its class: Next's bundles and the server load the same file twice. */
const refusal = z.object({ line: z.int().nullable(), path: z.string(), tooLarge: z.boolean() });
