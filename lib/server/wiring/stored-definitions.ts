import type { Logger } from "pino";
import type { z } from "zod";
import type { AgentStates, Expectation, Log } from "../../../db/repositories.ts";
import { toJson } from "../../engine/plain-json.ts";
import type { StoredDefinitions } from "../../engine/tools/stored-definitions.ts";

/** The maximum page size of agent state. */
const PAGE = 200;

interface Storage {
  agentStates: AgentStates;
  log: Log;
  logger: Logger;
}

/** A value with its version. */
export interface StoredEntry<T> {
  key: string;
  value: T;
  version: number;
  updated_at: string;
}

/** The entries of an agent that only the server writes, by key. */
export interface StoredEntries<T> {
  /** All valid ones, by key. */
  load(): Promise<StoredEntry<T>[]>;
  /** Those with this key: one, or none if it is invalid or missing. */
  read(key: string): Promise<StoredEntry<T>[]>;
  /** Durable when it resolves. Throws `Stale` if the expected version differs. */
  save(key: string, value: T, write: { expect: Expectation; actor: string | null }): Promise<{ version: number }>;
  /** Durable when it resolves. */
  remove(key: string, actor: string): Promise<void>;
}

/**
 * Stores values in the agent state of an agent that only the server writes. Invalid ones, perhaps of an older version,
 * are ignored and logged: they must not prevent a start.
 */
export function storedEntries<T>(
  agentId: string,
  schemaOf: (key: string) => z.ZodType<T>,
  { agentStates, log, logger }: Storage,
): StoredEntries<T> {
  async function read(key: string): Promise<StoredEntry<T>[]> {
    const entry = await agentStates.get(agentId, key);
    if (!entry) return [];
    const { value, version, updated_at } = entry;
    const result = schemaOf(key).safeParse(value);
    if (result.success) return [{ key, value: result.data, version, updated_at }];
    logger.warn({ agent_id: agentId, key, reason: result.error.message }, "Skipped an invalid stored definition");
    return [];
  }

  return {
    read,
    async load() {
      const found: StoredEntry<T>[] = [];
      let cursor: string | null = null;
      do {
        const page = await agentStates.list({ agentId, limit: PAGE, ...(cursor !== null && { cursor }) });
        for (const { key } of page.items) found.push(...(await read(key)));
        cursor = page.next;
      } while (cursor !== null);
      return found;
    },
    async remove(key, actor) {
      await log.deleteAgentState({ agentId, key, by: "person", expect: { kind: "any" }, actor });
    },
    save: (key, value, write) => log.putAgentState({ agentId, key, value: toJson(value), by: "person", ...write }),
  };
}

/** Entries that are stored by the name that they have. */
export function namedEntries<T extends { name: string }>(agentId: string, schema: z.ZodType<T>, storage: Storage) {
  const named = (key: string) =>
    schema.refine(({ name }) => name === key, { error: `is stored as ${key} but has another name` });
  return storedEntries(agentId, named, storage);
}

/** Stores definitions in the same way, by name. */
export function storedDefinitions<T extends { name: string }>(
  entries: StoredEntries<T>,
): StoredDefinitions<T> & Pick<StoredEntries<T>, "remove"> {
  return {
    load: async () => (await entries.load()).map(({ value }) => value),
    async save(definition, actor) {
      await entries.save(definition.name, definition, { expect: { kind: "any" }, actor });
    },
    remove: entries.remove,
  };
}
