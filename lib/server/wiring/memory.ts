import type { AgentStates } from "../../../db/repositories.ts";
import type { KnownMemory } from "../../dialog/prompts/session-context.ts";
import { type Memory, UnreadableMemory } from "../../engine/memory.ts";
import { addressOf } from "../../memory/address.ts";
import { cutDocument } from "../../memory/cut.ts";
import { emptyDocument, type MemoryDocument, readDocument } from "../../memory/document.ts";
import { memorySchema } from "../../memory/schema.ts";
import { selfCheck } from "../../memory/self-check.ts";
import { summarize } from "../../memory/summary.ts";
import { update } from "../../memory/update.ts";
import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import type { Locale } from "../../session/locale.ts";

/** The maximum length of a document for a model, in characters (M12): a few thousand tokens. */
const LONGEST_DOCUMENT = 12_000;
const LONGEST_SUMMARY = 2_000;

/** The memory port of the engine: the rules of lib/memory on stored documents. */
export function createMemory(agentStates: Pick<AgentStates, "get">): Memory {
  const read = (userId: string, value: Json | null) => objectOf(documentIn(userId, value));
  return {
    schema: memorySchema,
    addressOf,
    read,
    async load(userId) {
      const { agentId, key } = addressOf(userId);
      const stored = await agentStates.get(agentId, key);
      return { document: read(userId, stored?.value ?? null), version: stored?.version ?? 0 };
    },
    // Read and copied once, not per call: a plan in shadow mode may have a thousand calls (M8).
    update: (document, happenings, locale) =>
      happenings.length === 0
        ? document
        : objectOf(happenings.reduce((after, happening) => update(after, happening, locale), known(document))),
    check: (document, now, locale) => selfCheck(known(document), new Date(now), locale),
    forModel: (document, locale) => shortened(known(document), locale),
  };
}

/** A session's memory for prompts (M10, M12); null if it is not a valid document. */
export function readMemory(value: Json, now: number, locale: Locale): KnownMemory | null {
  const result = readDocument(value);
  if (!result.ok) return null;
  return { ...shortened(result.document, locale), warnings: selfCheck(result.document, new Date(now), locale) };
}

function shortened(document: MemoryDocument, locale: Locale): { summary: string; document: JsonObject } {
  return {
    summary: summarize(document, { limit: LONGEST_SUMMARY, locale }),
    document: objectOf(cutDocument(document, LONGEST_DOCUMENT)),
  };
}

function documentIn(userId: string, value: Json | null): MemoryDocument {
  if (value === null) return emptyDocument();
  const result = readDocument(value);
  if (result.ok) return result.document;
  const [fault] = result.faults;
  throw new UnreadableMemory(userId, `${fault?.path === "" ? "it" : fault?.path} ${fault?.message}`);
}

/** A document that was validated before: the engine passes on what it got. */
function known(document: JsonObject): MemoryDocument {
  const result = readDocument(document);
  if (!result.ok) throw new Error("The engine holds a document of the memory that cannot be read");
  return result.document;
}

/** Absent keys of a document are not undefined, so it is JSON as it is. */
function objectOf(document: object): JsonObject {
  const json: Json = JSON.parse(JSON.stringify(document));
  if (!isJsonObject(json)) throw new Error("A document of the memory is an object");
  return json;
}
