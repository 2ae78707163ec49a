import { Conflict } from "../errors.ts";
import { Imports } from "../import/import.ts";
import type { Spools } from "../import/spool.ts";
import { type Redact, withStoredAgentState, withStoredPayloads } from "../payload/stored-payload.ts";
import type { AgentStateChange, AgentStateChanged, Appended, Log, NewEvent, RunHold } from "../repositories.ts";
import { changeAgentState, deleteAgentState, putAgentState } from "./agent-state-writes.ts";
import { approveInPart } from "./approve-in-part.ts";
import { decide } from "./decide.ts";
import { storeFork } from "./fork.ts";
import type { LogWriter } from "./log-writer.ts";
import { checkHold } from "./run-owners.ts";
import type { Transaction } from "./transaction.ts";

/** The log, on either storage. `closing` aborts imports that are under way when the storage closes. */
export function createLog(writer: LogWriter, spools: Spools, closing: AbortSignal, redact: Redact): Log {
  const imports = new Imports(writer, spools);
  return {
    append: (events, by = "program") =>
      withStoredPayloads(events, redact, (stored) =>
        writer.submit(
          (transaction) => appendAll(events, (event, index) => transaction.append(event, by, stored[index])),
          events,
        ),
      ),
    appendOwn: (events, change, hold) => writer.submit((transaction) => appendOwn(transaction, events, change, hold)),
    decide: (decision) => writer.submit((transaction) => decide(transaction, decision)),
    approveInPart: (approval) => writer.submit((transaction) => approveInPart(transaction, approval)),
    changeTakeover: (event) => writer.submit((transaction) => changeTakeover(transaction, event)),
    createConversation: (event, by = "program") =>
      writer.submit((transaction) => {
        if (transaction.summary(event.conversation_id)) return { created: false };
        transaction.append(event, by);
        return { created: true };
      }),
    importConversations: (conversations, signal, onProgress, by = "import") =>
      imports.take(conversations, { by, signal: AbortSignal.any([signal, closing]), onProgress }),
    fork: (fork, signal) => storeFork(writer, fork, AbortSignal.any([signal, closing])),
    putAgentState: (write) =>
      withStoredAgentState(write, redact, (stored) =>
        writer.submit((transaction) => putAgentState(transaction, write, stored)),
      ),
    deleteAgentState: (write) => writer.submit((transaction) => deleteAgentState(transaction, write)),
  };
}

function appendOwn(
  transaction: Transaction,
  events: NewEvent[],
  change?: AgentStateChange,
  hold?: RunHold,
): { appended: Appended[]; change: AgentStateChanged | null } {
  const appended = appendAll(events, (event) => transaction.appendOwn(event));
  // A repeated append, as after a lost response: its change was applied then.
  const isRepeated = appended.length > 0 && appended.every(({ duplicate }) => duplicate);
  if (hold) checkHold(transaction, hold, isRepeated);
  return { appended, change: change && !isRepeated ? changeAgentState(transaction, events, change) : null };
}

/** Appends each; a conflict has the event's index. */
function appendAll(events: NewEvent[], append: (event: NewEvent, index: number) => Appended): Appended[] {
  return events.map((event, index) => {
    try {
      return append(event, index);
    } catch (error) {
      throw error instanceof Conflict ? new Conflict(error.message, index) : error;
    }
  });
}

/** Takes a conversation over, or hands it back, unless that is its state already; null if it does not exist (D11). */
function changeTakeover(
  transaction: Transaction,
  event: NewEvent & { conversation_id: string },
): { changed: boolean } | null {
  const summary = transaction.summary(event.conversation_id);
  if (!summary) return null;
  // Handing back without a takeover closes the alerts.
  const changed = event.type === "conversation.taken_over" ? summary.taken_over === null : summary.escalated;
  if (changed) transaction.append(event, "person");
  return { changed };
}
