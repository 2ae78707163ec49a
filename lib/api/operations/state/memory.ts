import { z } from "zod";
import type { AgentStateEntry } from "../../../../db/repositories.ts";
import { actorOf, recorderOf } from "../../../access/caller.ts";
import { yieldToEventLoop } from "../../../event-loop/yielding.ts";
import { addressOf, MEMORY_KEY } from "../../../memory/address.ts";
import { type MemoryDocument, memoryDocument, readDocument } from "../../../memory/document.ts";
import { type FileFault, parseFile } from "../../../memory/file/parse-file.ts";
import { printFile } from "../../../memory/file/print-file.ts";
import { identifier } from "../../../session/events/catalogue.ts";
import type { Json } from "../../../session/json/json.ts";
import { MEMORY_AGENTS } from "../../../session/json/reserved-names.ts";
import { answerJson, answerText } from "../../answers/answer.ts";
import { memoryEntry, page, refusal } from "../../answers/answers.ts";
import { cursor, limit } from "../../fields.ts";
import { type Body, operation } from "../../operation.ts";
import { Problem } from "../../problem.ts";
import { readJsonText } from "../../request/body.ts";
import {
  answerVersion,
  etag,
  expectation,
  KNOWN,
  READ_CONDITIONS,
  STALE,
  WRITE_CONDITIONS,
} from "../../request/preconditions.ts";
import { MAX_ERRORS } from "../../sentences.ts";

const address = { path: "/api/memory/{user_id}", params: z.object({ user_id: identifier }) } as const;
const file = { schema: memoryDocument, description: "The document as a file; ETag is its version." };

/** A memory document's file; errors have their places in it. */
const memoryFile: Body<MemoryDocument> = {
  content: { "application/json": memoryDocument },
  async read(request) {
    const text = await readJsonText(request);
    // Decoding 5 MB takes 20 ms, and parsing them 40.
    await yieldToEventLoop();
    const parsed = parseFile(text);
    if (parsed.ok) return parsed.document;
    throw invalidFile(parsed.faults);
  },
};

/** Lists users with a memory document (M1). */
export const listMemories = operation({
  name: "listMemories",
  permission: "read",
  method: "GET",
  path: "/api/memory",
  summary: "Lists the users of whom an agent has a memory.",
  query: z.strictObject({ cursor: cursor.optional(), limit }),
  answers: { 200: { description: "A page of users.", schema: page(memoryEntry) } },
  async run({ query }, { agentStates }) {
    const { items, ...cursors } = await agentStates.list({ ...query, agentPrefix: MEMORY_AGENTS, key: MEMORY_KEY });
    return answerJson({ items: items.map(tellEntry), ...cursors });
  },
});

/** Exports a user's memory document, with the same bytes for the same document (M1). */
export const getMemory = operation({
  ...address,
  name: "getMemory",
  permission: "read",
  method: "GET",
  summary: "Exports a user's memory as a file.",
  headers: READ_CONDITIONS,
  answers: {
    200: file,
    304: KNOWN,
    404: refusal("There is no memory of this user."),
    409: refusal("The stored value is not a memory document."),
  },
  async run({ params: { user_id }, headers }, { agentStates }) {
    const { agentId, key } = addressOf(user_id);
    const entry = await agentStates.get(agentId, key);
    if (!entry) throw new Problem("not_found", `There is no memory of the user ${user_id}.`);
    return answerVersion(headers, entry.version, printFile(readStored(user_id, entry.value)));
  },
});

/** Imports a user's memory document if its version matches (E12). */
export const putMemory = operation({
  ...address,
  name: "putMemory",
  permission: "operate",
  method: "PUT",
  summary: "Imports a user's memory from a file. Approvals in the file authorize nothing; only decisions do.",
  body: memoryFile,
  headers: WRITE_CONDITIONS,
  answers: { 200: file, 201: { ...file, description: "The document was created." }, 412: STALE },
  async run({ params: { user_id }, body, headers, requester, audit }, { log }) {
    const { version, created } = await log.putAgentState({
      ...addressOf(user_id),
      value: body,
      expect: expectation(headers),
      actor: actorOf(requester.caller),
      by: recorderOf(requester.caller),
    });
    await audit({
      action: "memory.written",
      target: `memory:${user_id}`,
      ...(!created && { before: { version: version - 1 } }),
      after: { version },
    });
    return answerText(printFile(body), created ? 201 : 200, { etag: etag(version) });
  },
});

function tellEntry({ agent_id, version, updated_at }: AgentStateEntry): z.infer<typeof memoryEntry> {
  return { user_id: agent_id.slice(MEMORY_AGENTS.length), version, updated_at };
}

/** The problem of an invalid file: the first error as its sentence, and all by place. */
function invalidFile(faults: FileFault[]): Problem {
  const [first] = faults;
  const more = faults.length > 1 ? ` (One of ${faults.length} errors.)` : "";
  const place = `Line ${first?.line}, column ${first?.column}${first?.path ? ` (${first.path})` : ""}`;
  return new Problem("invalid_input", `${place}: ${first?.message}.${more}`, {
    errors: faults
      .slice(0, MAX_ERRORS)
      .map(({ path, line, message }) => ({ path, message: `${message} (line ${line})` })),
  });
}

/** The stored document. Throws `conflict` for an invalid one, which is kept as it is (M13). */
function readStored(userId: string, value: Json): MemoryDocument {
  const read = readDocument(value);
  if (read.ok) return read.document;
  const { agentId, key } = addressOf(userId);
  const [fault] = read.faults;
  throw new Problem(
    "conflict",
    `The stored memory of the user ${userId} is invalid (${fault?.path || "it"} ${fault?.message}) and was left unchanged; correct it at /api/agent-state/${encodeURIComponent(agentId)}/${key}.`,
  );
}
