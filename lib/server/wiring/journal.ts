import type { Conversations, Log, Runs } from "../../../db/repositories.ts";
import type { Journal } from "../../engine/journal.ts";

/** The engine's journal, in storage. */
export function createJournal(log: Log, runs: Runs, conversations: Pick<Conversations, "get">): Journal {
  return {
    async append(events) {
      await log.appendOwn(events);
    },
    async appendWithMemory(events, { agentId, key, actor, apply }) {
      const { change } = await log.appendOwn(events, {
        ...{ agentId, key, actor },
        apply(stored) {
          const changed = apply(stored);
          return changed && { value: changed.document, events: [changed.event] };
        },
      });
      return change?.events[0] ?? null;
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
