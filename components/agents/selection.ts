/** The ways to look at a value. */
export const VIEWS = ["memory", "steps", "json", "changes", "edit"] as const;
export type View = (typeof VIEWS)[number];

/** What is selected among what agents keep. All of it is in the address, and nowhere else. */
export interface AgentSelection {
  agent: string | null;
  key: string | null;
  /** A version of the key's history; null: the newest. */
  version: number | null;
  /** Null: the most readable view there is. */
  tab: View | null;
  /** What a version is compared with. */
  against: "before" | "current";
  /** What narrows the list. */
  q: string;
}

/** Reads the selection of an address; what it cannot mean is left out. */
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
 * The query part of an address with a change of selection, with its question mark; empty where nothing is selected.
 * Another agent or key is looked at afresh.
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
