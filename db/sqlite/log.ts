import { randomUUID } from "node:crypto";
import type { Json } from "../../lib/session/json.ts";
import { Conflict, Stale } from "../errors.ts";
import type { AgentStateEntry, Appended, Expectation, Log, NewEvent } from "../repositories.ts";
import { importConversations } from "./import.ts";
import type { Spools } from "./spool.ts";
import type { AgentStateRow } from "./statements.ts";
import { toIso } from "./times.ts";
import type { Transaction } from "./transaction.ts";
import type { Writer } from "./writer.ts";

/** The log in SQLite. `closing` aborts imports that are under way when the storage closes. */
export function createLog(writer: Writer, spools: Spools, closing: AbortSignal): Log {
  return {
    append: (events) => writer.submit((transaction) => appendAll(transaction, events)),
    createConversation: (event) =>
      writer.submit((transaction) => {
        if (transaction.hasConversation(event.conversation_id)) return { created: false };
        transaction.append(event);
        return { created: true };
      }),
    importConversations: (conversations, signal) =>
      importConversations(writer, spools, conversations, AbortSignal.any([signal, closing])),
    putAgentState: (write) => writer.submit((transaction) => putAgentState(transaction, write)),
    deleteAgentState: (write) => writer.submit((transaction) => deleteAgentState(transaction, write)),
  };
}

function appendAll(transaction: Transaction, events: NewEvent[]): Appended[] {
  return events.map((event, index) => {
    try {
      return transaction.append(event);
    } catch (error) {
      throw error instanceof Conflict ? new Conflict(error.message, index) : error;
    }
  });
}

interface Target {
  agentId: string;
  key: string;
  expect: Expectation;
  actor: string | null;
}

function putAgentState(
  transaction: Transaction,
  write: Target & { value: Json },
): AgentStateEntry & { created: boolean } {
  const current = transaction.agentState(write.agentId, write.key);
  check(write, current);
  const version = (current?.version ?? 0) + 1;
  const payload = { agent_id: write.agentId, key: write.key, value: write.value, version };
  transaction.append(agentStateEvent("agent_state.written", write, payload));
  return { ...entry(transaction, write, version), created: !isThere(current) };
}

function deleteAgentState(transaction: Transaction, write: Target): AgentStateEntry | null {
  const current = transaction.agentState(write.agentId, write.key);
  if (!isThere(current)) return null;
  check(write, current);
  const version = current.version + 1;
  transaction.append(
    agentStateEvent("agent_state.deleted", write, { agent_id: write.agentId, key: write.key, version }),
  );
  return entry(transaction, write, version);
}

function isThere(row: AgentStateRow | null): row is AgentStateRow {
  return row !== null && row.value !== null;
}

/** Throws `Stale` unless what the writer believes is so (E12). */
function check({ agentId, key, expect }: Target, current: AgentStateRow | null): void {
  const version = isThere(current) ? current.version : 0;
  if (holds(expect, version)) return;
  const what = `${agentId}/${key}`;
  const sentence =
    version === 0
      ? `${what} does not exist; write it without a version to make it`
      : `${what} is at version ${version}; read it and write again`;
  throw new Stale(sentence, version);
}

/** Tells whether the expectation is true of a version, 0 for none. */
function holds(expect: Expectation, version: number): boolean {
  switch (expect.kind) {
    case "any":
      return true;
    case "absent":
      return version === 0;
    case "present":
      return version !== 0;
    case "version":
      return version !== 0 && expect.versions.includes(version);
    default:
      return expect satisfies never;
  }
}

function agentStateEvent(type: string, { agentId, actor }: Target, payload: Json): NewEvent {
  return {
    id: randomUUID(),
    conversation_id: null,
    type,
    actor,
    agent_id: agentId,
    run_id: null,
    parent_run_id: null,
    caused_by: null,
    payload,
    occurred_at: null,
  };
}

function entry(transaction: Transaction, { agentId, key }: Target, version: number): AgentStateEntry {
  return { agent_id: agentId, key, version, updated_at: toIso(transaction.recordedAt) };
}
