import type { NewEvent, PreparedEvent } from "../../db/repositories.ts";
import { indexColumnsOf } from "../session/events/event-index-columns.ts";

/** A prepared event on its way between threads: a list, which is cheaper to copy than an object with names. */
export type EventMessage = [
  id: string,
  conversation_id: string | null,
  type: string,
  actor: string | null,
  agent_id: string | null,
  run_id: string | null,
  parent_run_id: string | null,
  caused_by: string | null,
  occurred_at: string | null,
  occurredAt: number | null,
  call_id: string | null,
  iteration: number | null,
  instance: string | null,
  tool: string | null,
  error: boolean,
  text: string,
];

/** Makes the message of an event: its payload as text, its time in epoch ms, its index columns. */
export function messageOf(event: NewEvent): EventMessage {
  const { id, conversation_id, type, actor, agent_id, run_id, parent_run_id, caused_by, payload, occurred_at } = event;
  // What they are made of is the same in an event that has its place in the log.
  const columns = indexColumnsOf({ ...event, seq: 0, position: 0, recorded_at: "" });
  const { call_id, iteration, instance, tool, error } = columns;
  const occurredAt = occurred_at === null ? null : Date.parse(occurred_at);
  return [
    ...([id, conversation_id, type, actor, agent_id, run_id, parent_run_id, caused_by] as const),
    ...([occurred_at, occurredAt, call_id, iteration, instance, tool, error, JSON.stringify(payload)] as const),
  ];
}

/** Reads the message of an event. */
export function preparedEvent(message: EventMessage): PreparedEvent {
  const [id, conversation_id, type, actor, agent_id, run_id, parent_run_id, caused_by, occurred_at] = message;
  const [, , , , , , , , , occurredAt, call_id, iteration, instance, tool, error, text] = message;
  return {
    id,
    conversation_id,
    type,
    actor,
    agent_id,
    run_id,
    parent_run_id,
    caused_by,
    occurred_at,
    occurredAt,
    columns: { call_id, iteration, instance, tool, error },
    text,
  };
}
