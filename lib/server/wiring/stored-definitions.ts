import type { Logger } from "pino";
import type { z } from "zod";
import type { AgentStates, Expectation, Log } from "../../../db/repositories.ts";
import { toJson } from "../../engine/plain-json.ts";
import type { StoredDefinitions } from "../../engine/tools/stored-definitions.ts";

/** As many entries as a page of agent state has at most. */
const PAGE = 200;

interface Storage {
  agentStates: AgentStates;
  log: Log;
  logger: Logger;
}

/** What is kept under a key, at its version. */
export interface StoredEntry<T> {
  key: string;
  value: T;
  version: number;
  updated_at: string;
}

/** The entries of an agent that nobody else writes, by key. */
export interface StoredEntries<T> {
  /** All that hold, by their keys. */
  load(): Promise<StoredEntry<T>[]>;
  /** On disk when it resolves. Throws `Stale` when the expectation does not hold. */
  save(key: string, value: T, write: { expect: Expectation; actor: string | null }): Promise<{ version: number }>;
}

/**
 * Keeps values in the agent state of an agent that nobody else writes. What is there and does not hold, of an older
 * version perhaps, is left out and logged: it must not keep the server from starting.
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
    save: (key, value, write) => log.putAgentState({ agentId, key, value: toJson(value), by: "person", ...write }),
  };
}

/** Keeps definitions so, each under its name. */
export function storedDefinitions<T extends { name: string }>(
  agentId: string,
  schema: z.ZodType<T>,
  storage: Storage,
): StoredDefinitions<T> {
  const named = (key: string) =>
    schema.refine(({ name }) => name === key, { error: `is stored as ${key} but has another name` });
  const entries = storedEntries(agentId, named, storage);
  return {
    load: async () => (await entries.load()).map(({ value }) => value),
    async save(definition, actor) {
      await entries.save(definition.name, definition, { expect: { kind: "any" }, actor });
    },
  };
}
