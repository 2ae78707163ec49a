import { dialogAgent } from "../../lib/session/dialog-agent.ts";
import { renamesOf } from "../../lib/session/erasure/erasure.ts";
import { forkMemories, forkMemoriesOf } from "../../lib/session/fork-scope.ts";
import { isOwnAgent } from "../../lib/session/own-agents.ts";
import type { ErasureKind } from "../erasures.ts";

/** What an erasure covers: whole conversations, and events outside of them that wrote agent state. */
export interface ErasureScope {
  conversations: string[];
  /** Positions of events outside of conversations. */
  outside: number[];
}

/** An agent state event without a conversation. */
export interface StateEvent {
  position: number;
  agent_id: string;
  key: string;
  /** The conversation of the event that caused it; null for none. */
  cause: string | null;
}

/** Conversations with all their forks and copies. */
export function withDescendants(
  roots: Iterable<string>,
  forks: readonly { parent: string; id: string }[],
): Set<string> {
  const children = Map.groupBy(forks, ({ parent }) => parent);
  const all = new Set(roots);
  // The list grows during iteration.
  for (const one of all) for (const { id } of children.get(one) ?? []) all.add(id);
  return all;
}

/** Tells which events outside of conversations an erasure covers. Asked for each of them, in their order. */
export class StateScope {
  readonly #conversations: ReadonlySet<string>;
  readonly #dialogs: ReadonlySet<string>;
  /** Of any user: a fork has its own copy of each user's memory. */
  readonly #memories: ReadonlySet<string>;
  readonly #names: ReturnType<typeof renamesOf>;
  /** A document that a conversation has changed contains the change in all later versions. */
  readonly #touched = new Set<string>();

  constructor(kind: ErasureKind, target: string, conversations: ReadonlySet<string>) {
    this.#conversations = conversations;
    this.#dialogs = new Set([...conversations].map(dialogAgent));
    this.#memories = new Set([...conversations].map(forkMemories));
    this.#names = renamesOf(kind === "user" ? [target] : [], "");
  }

  covers(event: StateEvent): boolean {
    const { agent_id, key, cause } = event;
    if (isOwnAgent(agent_id)) return false;
    const entry = JSON.stringify([agent_id, key]);
    const isCaused = cause !== null && this.#conversations.has(cause);
    if (!this.#touched.has(entry) && !this.#isNamed(event) && !isCaused) return false;
    this.#touched.add(entry);
    return true;
  }

  #isNamed({ agent_id, key }: StateEvent): boolean {
    return (
      this.#names.agent(agent_id) !== agent_id ||
      this.#names.key(key) !== key ||
      this.#dialogs.has(agent_id) ||
      this.#memories.has(forkMemoriesOf(agent_id) ?? "")
    );
  }
}
