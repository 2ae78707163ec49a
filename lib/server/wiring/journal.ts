import type { AgentStateChange, Conversations, Log, Runs } from "../../../db/repositories.ts";
import type { DocumentChange, Journal } from "../../engine/journal.ts";

/** The engine's journal, in storage. */
export function createJournal(log: Log, runs: Runs, conversations: Pick<Conversations, "get">): Journal {
  return {
    async append(events, hold) {
      await log.appendOwn(events, undefined, hold ?? undefined);
    },
    async appendWithMemory(events, change, hold) {
      const { change: changed } = await log.appendOwn(events, stateChangeOf(change), hold ?? undefined);
      return changed?.events[0] ?? null;
    },
    read: (runId) => runs.events(runId),
    find: (runId) => runs.find(runId),
    open: () => runs.open(),
    async takenOver(conversationId) {
      const taken = (await conversations.get(conversationId))?.taken_over;
      return taken ? (taken.by ?? "A manager") : null;
    },
    async unusedApproval(conversationId, action) {
      const confirmationId = await runs.unusedApproval(conversationId, action);
      return confirmationId === null ? null : { confirmation_id: confirmationId };
    },
  };
}

/** The change of a user's memory as one of agent state. */
export function stateChangeOf({ agentId, key, actor, apply }: DocumentChange): AgentStateChange {
  return {
    ...{ agentId, key, actor },
    apply(stored) {
      const changed = apply(stored);
      return changed && { value: changed.document, events: [changed.event] };
    },
  };
}
