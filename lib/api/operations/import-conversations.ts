import { randomUUIDv7 } from "node:crypto";
import { z } from "zod";
import { ImportError } from "../../intake/import-error.ts";
import { readImport } from "../../intake/read-import.ts";
import { answerJson } from "../answer.ts";
import { type ByteStream, readStream } from "../body.ts";
import { type Body, noParams, operation } from "../operation.ts";
import { Problem } from "../problem.ts";

const fileBody: Body<ByteStream> = {
  content: { "application/json": null, "application/x-ndjson": null, "application/octet-stream": null },
  read: async (request) => readStream(request),
};

/** Imports conversations from a file as it streams in: our own export, or the OpenAI chat format. */
export const importConversations = operation({
  name: "importConversations",
  method: "POST",
  path: "/api/import",
  summary:
    "Imports conversations: an export of Obelus, or chats in OpenAI's format (JSON or a chat a line), to 512 MB. What is there already is left as it is.",
  params: noParams,
  query: z.strictObject({ as: z.enum(["copy"]).optional().describe("Imports under new ids, beside what is there.") }),
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
  async run({ body, query, signal }, { log }) {
    const copyId = query.as === "copy" ? () => randomUUIDv7() : undefined;
    const conversations = await refusing(body, signal, () =>
      log.importConversations(readImport(body.bytes, { copyId }), signal),
    );
    const created = conversations.some((conversation) => conversation.created);
    return answerJson({ conversations }, created ? 201 : 200);
  },
});

/** Turns what is wrong with the file into a problem, once the client has sent enough of it to listen. */
async function refusing<T>(body: ByteStream, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!signal.aborted) await body.discard();
    if (!(error instanceof ImportError)) throw error;
    const place = error.line === null ? "" : `/${error.line - 1}`;
    throw new Problem(error.tooLarge ? "too_large" : "invalid_input", `${error.message}.`, {
      errors: [{ path: `${place}${error.path}`, message: error.message }],
    });
  }
}
