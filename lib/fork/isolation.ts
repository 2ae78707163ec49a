import type { AgentStates, Conversations, Events, Log, Sessions } from "../../db/repositories.ts";
import type { Isolation } from "../engine/isolation.ts";
import { addressOf } from "../memory/address.ts";
import { forkScope } from "../session/fork-scope.ts";
import type { Json } from "../session/json/json.ts";
import { createRecordings } from "./recording.ts";

interface Needs {
  conversations: Pick<Conversations, "get">;
  sessions: Pick<Sessions, "view">;
  events: Pick<Events, "list">;
  agentStates: Pick<AgentStates, "get" | "history" | "version">;
  log: Pick<Log, "putAgentState">;
}

/** Versions per page of a memory's history. */
const PAGE = 100;

/** Isolates forks from their sources, based on the log (E9). */
export function createIsolation({ conversations, sessions, events, agentStates, log }: Needs): Isolation {
  /** Memories that are being copied, by scope: concurrent turns share a copy. */
  const copying = new Map<string, Promise<void>>();
  const recordings = createRecordings({ sessions, events });

  /** A user's memory at the step of the fork; null if there was none. */
  async function memoryBefore(forkId: string, user: string): Promise<Json> {
    let at = (await conversations.get(forkId))?.forked_from?.seq ?? 0;
    for (const id of await sourcesOf(forkId)) {
      const from = (await conversations.get(id))?.forked_from ?? null;
      // Step k of a fork is step k of its source, up to the forked step.
      const isOwnStep = from === null || at > from.seq;
      const version = isOwnStep ? await versionAt(id, at, from === null ? user : forkScope(id, user)) : undefined;
      if (version) return version.value ?? null;
      if (from) at = Math.min(at, from.seq);
    }
    return null;
  }

  /** The newest version at that step; undefined if there was none. */
  async function versionAt(conversationId: string, seq: number, scope: string) {
    const { agentId, key } = addressOf(scope);
    const [step] = await events.list(conversationId, { after: Math.max(seq, 1) - 1, limit: 1 });
    if (!step) return undefined;
    for (let cursor: string | null = null; ; ) {
      const page = await agentStates.history(agentId, key, { limit: PAGE, ...(cursor !== null && { cursor }) });
      // A step's change is recorded right after it.
      const found = page.items.find(
        ({ position, caused_by }) => position < step.position || (seq > 0 && caused_by === step.id),
      );
      if (found) return (await agentStates.version(agentId, key, found.version)) ?? undefined;
      if (page.next === null) return undefined;
      cursor = page.next;
    }
  }

  /** The source of a fork, its source, and so on. */
  async function sourcesOf(conversationId: string): Promise<string[]> {
    const sources: string[] = [];
    let from = (await conversations.get(conversationId))?.forked_from;
    // Imports may contain circular forks.
    while (from && from.conversation_id !== conversationId && !sources.includes(from.conversation_id)) {
      sources.push(from.conversation_id);
      from = (await conversations.get(from.conversation_id))?.forked_from;
    }
    return sources;
  }

  async function copyMemory(forkId: string, user: string): Promise<void> {
    const { agentId, key } = addressOf(forkScope(forkId, user));
    // What a person has deleted since stays deleted.
    const known = await agentStates.history(agentId, key, { limit: 1 });
    if (known.items.length > 0) return;
    const value = await memoryBefore(forkId, user);
    if (value !== null) await log.putAgentState({ agentId, key, value, expect: { kind: "absent" }, actor: "system" });
  }

  return {
    async modeOf(conversationId) {
      return (await conversations.get(conversationId))?.fork_mode ?? null;
    },
    async scopeOf(conversationId, userId) {
      const scope = forkScope(conversationId, userId);
      const copied = copying.get(scope) ?? copyMemory(conversationId, userId).finally(() => copying.delete(scope));
      copying.set(scope, copied);
      await copied;
      return scope;
    },
    async recorded(conversationId, call) {
      // Sources first, the nearest first: of them a fork only has what was before it.
      for (const id of [...(await sourcesOf(conversationId)), conversationId]) {
        const recorded = await recordings.find(id, call);
        if (recorded) return recorded;
      }
      return null;
    },
  };
}
