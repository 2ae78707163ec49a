import type { InfiniteData } from "@tanstack/react-query";
import type { AgentStateEntry, Page } from "@/lib/api/shapes.ts";
import type { SessionEvent } from "@/lib/session/event.ts";
import { isJsonObject } from "@/lib/session/json/json.ts";

/** The pages of the list that are loaded; each is asked for by the cursor that the one before it told. */
export type EntryPages = InfiniteData<Page<AgentStateEntry>, string>;

/** All loaded entries, in order. */
export function entriesOf({ pages }: Pick<EntryPages, "pages">): AgentStateEntry[] {
  return pages.flatMap(({ items }) => items);
}

/** A change of one entry, as the stream tells it. */
export interface EntryChange {
  agent: string;
  key: string;
  version: number;
  at: string;
  deleted: boolean;
}

/** Reads an event of agent state; null for any other. */
export function readChange({ type, payload, occurred_at, recorded_at }: SessionEvent): EntryChange | null {
  if (type !== "agent_state.written" && type !== "agent_state.deleted") return null;
  if (!isJsonObject(payload)) return null;
  const { agent_id: agent, key, version } = payload;
  if (typeof agent !== "string" || typeof key !== "string") return null;
  return {
    agent,
    key,
    version: typeof version === "number" ? version : 0,
    at: occurred_at ?? recorded_at,
    deleted: type === "agent_state.deleted",
  };
}

/** What Obelus keeps its agents' definitions under. */
const DEFINITIONS = "obelus:agents";

/** An agent that runs on this server was changed, made or taken away. */
export function isOfDefinitions({ agent }: EntryChange): boolean {
  return agent === DEFINITIONS;
}

/**
 * The pages after a change, where that is only a newer version of an entry that is there; null where entries come or go,
 * so that the list has to be asked for again.
 */
export function withChange(data: EntryPages, { agent, key, version, at, deleted }: EntryChange): EntryPages | null {
  const isIt = (entry: AgentStateEntry) => entry.agent_id === agent && entry.key === key;
  if (deleted || version === 0 || !entriesOf(data).some(isIt)) return null;
  const newer = (entry: AgentStateEntry) =>
    isIt(entry) && entry.version < version ? { ...entry, version, updated_at: at } : entry;
  return { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.map(newer) })) };
}
