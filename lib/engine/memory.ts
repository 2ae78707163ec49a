import type { Happening } from "../memory/actions/happening.ts";
import type { Json, JsonObject } from "../session/json/json.ts";
import type { Locale } from "../session/locale.ts";

/** A user's document as it is stored; version 0 where there is none yet. */
export interface StoredDocument {
  document: JsonObject;
  version: number;
}

/** The agent's memory as the engine uses it: its rules are elsewhere, and pure. */
export interface Memory {
  /** The document as a JSON Schema, by which plans are checked (M15). */
  schema: JsonObject;
  /** Where a user's document is kept (M1). */
  addressOf(userId: string): { agentId: string; key: string };
  /** A user's document in a stored value, an empty one for null. Throws `UnreadableMemory` (M13). */
  read(userId: string, value: Json | null): JsonObject;
  /** Reads a user's document. Throws `UnreadableMemory`. */
  load(userId: string): Promise<StoredDocument>;
  /** The document after all that happened, in order; its input stays as it is. */
  update(document: JsonObject, happenings: readonly Happening[], locale: Locale): JsonObject;
  /** What a person should see to, each in a sentence (M10). */
  check(document: JsonObject, now: number, locale: Locale): string[];
  /** What a model gets to see of it (M12). */
  forModel(document: JsonObject, locale: Locale): { summary: string; document: JsonObject };
}

/** A stored document that cannot be read: it is kept, and the turn fails (M13). */
export class UnreadableMemory extends Error {
  static readonly code = "unreadable_memory";
  readonly code = UnreadableMemory.code;

  constructor(userId: string, fault: string) {
    super(
      `The memory of ${userId} cannot be read (${fault}) and was left unchanged; correct memory:${userId} on the Agents page, then retry`,
    );
    this.name = "UnreadableMemory";
  }
}
