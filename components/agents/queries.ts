/** Query keys. */
export const AGENTS_KEY = ["agents"] as const;
export const ENTRIES_KEY = ["agent-state"] as const;

/** The list of keys, of one agent if given. */
export const entriesKey = (agent: string | null) => [...ENTRIES_KEY, agent] as const;
export const historyKey = (agent: string, key: string) => ["agent-state-history", agent, key] as const;
export const valueKey = (agent: string, key: string, version: number) =>
  ["agent-state-value", agent, key, version] as const;

/** The API's maximum, as rows are small. */
export const ENTRIES_PAGE = 200;
/** Versions a page. */
export const HISTORY_PAGE = 50;
