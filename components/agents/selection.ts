/** The views of a value. */
export const VIEWS = ["memory", "steps", "json", "changes", "edit"] as const;
export type View = (typeof VIEWS)[number];

/** The selection on the Agents page. Its only store is the address. */
export interface AgentSelection {
  agent: string | null;
  key: string | null;
  /** A version of the key's history; null for the newest. */
  version: number | null;
  /** Null for the most readable view. */
  tab: View | null;
  /** Which version it is compared with. */
  against: "before" | "current";
  /** The filter of the list. */
  q: string;
}

/** Reads a selection from search parameters; invalid ones are ignored. */
export function parseSelection(params: URLSearchParams): AgentSelection {
  const agent = params.get("agent") || null;
  const key = agent === null ? null : params.get("key") || null;
  const version = params.get("version");
  return {
    agent,
    key,
    version: key !== null && version !== null && /^[1-9]\d{0,14}$/.test(version) ? Number(version) : null,
    tab: VIEWS.find((view) => view === params.get("tab")) ?? null,
    against: params.get("against") === "current" ? "current" : "before",
    q: params.get("q") ?? "",
  };
}

/**
 * The query string of a changed selection, with its question mark; empty for no selection. Another agent or key resets
 * version and view.
 */
export function withSelection(params: URLSearchParams, change: Partial<AgentSelection>): string {
  const next = new URLSearchParams(params);
  if (change.agent !== undefined || change.key !== undefined)
    for (const name of ["key", "version", "tab", "against"]) next.delete(name);
  for (const [name, value] of Object.entries(change)) {
    if (value === null || value === "" || value === "before") next.delete(name);
    else if (value !== undefined) next.set(name, String(value));
  }
  const text = next.toString();
  return text ? `?${text}` : "";
}
