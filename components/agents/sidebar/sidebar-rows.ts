import type { AgentStateEntry } from "@/lib/api/shapes.ts";
import type { RunningAgent } from "../running-agent.ts";
import { memoryUser, stateOwnerOf } from "../state-owner.ts";

/** A row of the list. */
export type SidebarRow =
  | { kind: "heading"; id: "running" | "keeping" }
  /** An agent of this server. */
  | { kind: "running"; id: string; agent: RunningAgent }
  /** An agent that only stores state. */
  | { kind: "keeper"; id: string; agent: string }
  /** A key of the agent above it. */
  | { kind: "key"; id: string; entry: AgentStateEntry }
  /** A user's memory: agent and key in one row. */
  | { kind: "memory"; id: string; entry: AgentStateEntry; user: string };

interface Listed {
  running: readonly RunningAgent[];
  /** The state keys of the selected agent of this server. */
  unfolded: { agent: string | null; entries: readonly AgentStateEntry[] };
  entries: readonly AgentStateEntry[];
  /** The filter: a part of an agent's or a key's name, ignoring case. */
  q: string;
}

/** The rows: agents of this server, the selected one with its keys, then agents that only store state. */
export function sidebarRows({ running, unfolded, entries, q }: Listed): SidebarRow[] {
  const has = (...texts: string[]) => texts.some((text) => text.toLowerCase().includes(q.trim().toLowerCase()));
  const first: SidebarRow[] = running
    .filter(({ id, description }) => has(id, description))
    .flatMap((agent) => [
      { kind: "running", id: agent.id, agent } as const,
      ...(agent.id === unfolded.agent ? unfolded.entries.map(keyRow) : []),
    ]);
  const own = new Set(running.map(({ id }) => id));
  const rest: SidebarRow[] = [];
  let above: string | null = null;
  for (const entry of entries) {
    if (own.has(entry.agent_id) || !has(entry.agent_id, entry.key)) continue;
    const user = memoryUser(entry.agent_id, entry.key);
    if (user !== null) rest.push({ kind: "memory", id: idOf(entry), entry, user });
    else {
      if (entry.agent_id !== above) rest.push({ kind: "keeper", id: entry.agent_id, agent: entry.agent_id });
      rest.push(keyRow(entry));
    }
    above = user === null ? entry.agent_id : null;
  }
  return [
    ...(first.length > 0 ? [{ kind: "heading", id: "running" } as const, ...first] : []),
    ...(rest.length > 0 ? [{ kind: "heading", id: "keeping" } as const, ...rest] : []),
  ];
}

/** An agent's name in the list; a memory is named after its user. */
export function stateOwnerName(agentId: string): string {
  const keeper = stateOwnerOf(agentId);
  return keeper.kind === "memory" ? keeper.user : agentId;
}

function keyRow(entry: AgentStateEntry): SidebarRow {
  return { kind: "key", id: idOf(entry), entry };
}

function idOf({ agent_id, key }: AgentStateEntry): string {
  return `${agent_id}\u0000${key}`;
}
