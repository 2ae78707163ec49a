import type { InfiniteData } from "@tanstack/react-query";
import type { AgentStateEntry, Page } from "@/lib/api/shapes.ts";
import type { SessionEvent } from "@/lib/session/event.ts";
import { isJsonObject } from "@/lib/session/json/json.ts";

/** The loaded pages of the list, each fetched with the cursor of the one before. */
export type EntryPages = InfiniteData<Page<AgentStateEntry>, string>;

/** All loaded entries, in order. */
export function entriesOf({ pages }: Pick<EntryPages, "pages">): AgentStateEntry[] {
  return pages.flatMap(({ items }) => items);
}

/** A change of one entry, from the stream. */
export interface EntryChange {
  agent: string;
  key: string;
  version: number;
  at: string;
  deleted: boolean;
}

/** The change in an event of agent state; null for any other event. */
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

/** The agent id under which Obelus stores definitions of agents. */
const DEFINITIONS = "obelus:agents";

/** The definition of an agent of this server changed. */
export function isOfDefinitions({ agent }: EntryChange): boolean {
  return agent === DEFINITIONS;
}

/**
 * The pages with a newer version of a listed entry; null when an entry is created or deleted, and the list must be
 * refetched.
 */
export function withChange(data: EntryPages, { agent, key, version, at, deleted }: EntryChange): EntryPages | null {
  const isIt = (entry: AgentStateEntry) => entry.agent_id === agent && entry.key === key;
  if (deleted || version === 0 || !entriesOf(data).some(isIt)) return null;
  const newer = (entry: AgentStateEntry) =>
    isIt(entry) && entry.version < version ? { ...entry, version, updated_at: at } : entry;
  return { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.map(newer) })) };
}
