import { randomUUID } from "node:crypto";
import type { Json } from "../../lib/session/json/json.ts";
import { Stale } from "../errors.ts";
import type { StoredAgentState } from "../payload/stored-payload.ts";
import type {
  AgentStateChange,
  AgentStateChanged,
  AgentStateEntry,
  AppendOrigin,
  Expectation,
  NewEvent,
} from "../repositories.ts";
import { toIso } from "../times.ts";
import type { Transaction } from "./transaction.ts";
import type { AgentStateRow } from "./writes.ts";

interface Target {
  agentId: string;
  key: string;
  expect: Expectation;
  actor: string | null;
  by?: AppendOrigin;
}

/**
 * Writes an entry by its event, with its events that were prepared before. Throws `Stale` if the expected version
 * differs (E12).
 */
export function putAgentState(
  transaction: Transaction,
  write: Target,
  { text, at }: StoredAgentState,
): AgentStateEntry & { created: boolean; text: string } {
  const current = transaction.agentState(write.agentId, write.key);
  check(write, current);
  const version = (current?.version ?? 0) + 1;
  const stored = at(version);
  transaction.append(agentStateEvent("agent_state.written", write, stored.payload), write.by ?? "program", stored);
  return { ...entry(transaction, write, version), created: !isThere(current), text };
}

/** Deletes an entry by its event. Throws `Stale`; returns null if there is none (E12). */
export function deleteAgentState(transaction: Transaction, write: Target): AgentStateEntry | null {
  const current = transaction.agentState(write.agentId, write.key);
  if (!isThere(current)) return null;
  check(write, current);
  const version = current.version + 1;
  transaction.append(
    agentStateEvent("agent_state.deleted", write, { agent_id: write.agentId, key: write.key, version }),
    write.by ?? "program",
  );
  return entry(transaction, write, version);
}

/**
 * Applies a change with the events of a step that this transaction has just appended (E5). Throws what `apply` throws.
 */
export function changeAgentState(
  transaction: Transaction,
  step: readonly NewEvent[],
  { agentId, key, actor, apply }: AgentStateChange,
): AgentStateChanged | null {
  const row = transaction.agentState(agentId, key);
  const changed = apply(isThere(row) ? { value: JSON.parse(row.value), version: row.version } : null);
  if (!changed) return null;
  const { events, value } = changed;
  for (const event of events) transaction.appendOwn(event);
  if (value === undefined) return { events, version: isThere(row) ? row.version : 0 };
  const version = (row?.version ?? 0) + 1;
  const causedBy = (events.at(-1) ?? step.at(-1))?.id ?? null;
  const payload = { agent_id: agentId, key, value, version };
  transaction.appendOwn({
    ...agentStateEvent("agent_state.written", { agentId, actor }, payload),
    caused_by: causedBy,
  });
  return { events, version };
}

function isThere(row: AgentStateRow | null): row is AgentStateRow & { value: string } {
  return row !== null && row.value !== null;
}

/** Throws `Stale` if the expected version differs (E12). */
function check({ agentId, key, expect }: Target, current: AgentStateRow | null): void {
  const version = isThere(current) ? current.version : 0;
  if (holds(expect, version)) return;
  const what = `${agentId}/${key}`;
  const sentence =
    version === 0
      ? `${what} does not exist; write it without a version to create it`
      : `${what} is at version ${version}; read it and write again`;
  throw new Stale(sentence, version);
}

/** Whether the expectation matches a version, 0 for none. */
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

function agentStateEvent(type: string, { agentId, actor }: Pick<Target, "agentId" | "actor">, payload: Json): NewEvent {
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
