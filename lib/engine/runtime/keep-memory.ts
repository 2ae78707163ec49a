import { randomUUIDv7 } from "node:crypto";
import type { NewEvent } from "../../../db/repositories.ts";
import type { Happening } from "../../memory/actions/happening.ts";
import type { Context } from "../../plan/message.ts";
import { isSameJson, type JsonObject } from "../../session/json/json.ts";
import type { DocumentChange } from "../journal.ts";
import { actionOf, effectOf } from "../step/calls/approval-policy.ts";
import type { MemoryNote } from "../step/state/memory-notes.ts";
import type { Runner } from "./runner.ts";

/** Where a run begins or goes on, it learns what its user's memory is now (M11, M15). */
const LOOKS = new Set(["run.started", "run.iteration", "run.resumed"]);

/** How a run's events change its user's document, and what the run learns of it; null when they do neither. */
export function documentChange(run: Runner, events: readonly NewEvent[]): DocumentChange | null {
  const { memory } = run.engine.ports;
  const { user_id, user_scope } = run.state.settings;
  if (!memory || user_id === null || user_scope === null) return null;
  const notes = run.state.notes_to_keep;
  if (notes.length === 0 && !(run.parent === null && events.some(({ type }) => LOOKS.has(type)))) return null;
  const happenings = notes.map((note) => happeningOf(run, note));
  return {
    ...memory.addressOf(user_scope),
    actor: actorOf(run),
    apply(stored) {
      const before = memory.read(user_scope, stored?.value ?? null);
      const after = memory.update(before, happenings, run.state.settings.locale);
      const version = stored?.version ?? 0;
      const changed = !isSameJson(after, before);
      const delta = deltaTo(run, user_id, after, version);
      if (!changed && delta.length === 0) return null;
      const next = changed ? version + 1 : version;
      run.engine.recordedMemory.set(run.state.conversation_id, { user_id, version: next });
      const payload = { delta, user_id, ...(next === 0 ? {} : { version: next }) };
      return { document: changed ? after : undefined, event: updateEvent(run, payload) };
    },
  };
}

/** What leads to a user's document from what the log of the conversation told last, be it another user's. */
function deltaTo(run: Runner, user_id: string, document: JsonObject, version: number) {
  const { memory, conversation_id } = run.state;
  const told = run.engine.recordedMemory.get(conversation_id);
  const isKnown = told?.user_id === user_id && told.version === memory.version;
  return memory.deltaTo(document, isKnown ? version : null);
}

/**
 * What the user's memory lacks, before a model is asked (M10); null where there is none to look at. Who can only talk,
 * as an administrator who hands over, has nothing to see to in it.
 */
export function checkMemory(run: Runner): string[] | null {
  const { memory, clock } = run.engine.ports;
  const { document } = run.state.memory;
  if (!memory || document === null || run.parent !== null) return null;
  if (run.run.tools.list().every(({ control }) => control !== undefined)) return null;
  return memory.check(document, clock.now(), run.state.settings.locale);
}

/** The memory in a context as a model gets to see it: in short, and cut to what it has room for (M12). */
export function memoryForModel(run: Runner, { data, text }: Context): Context {
  const { memory } = run.engine.ports;
  const { document } = run.state.memory;
  if (!memory || document === null) return { data, text };
  const { summary, document: cut } = memory.forModel(document, run.state.settings.locale);
  return {
    data: data.map((each) => (each.kind === "memory" ? { ...each, description: summary, data: cut } : each)),
    text,
  };
}

function happeningOf(run: Runner, note: MemoryNote): Happening {
  switch (note.type) {
    case "carried_out": {
      const { type, deed, result, at } = note;
      return { type, action: actionOf(run.run, deed), result, effect: effectOf(run.run, deed), at };
    }
    case "failed":
    case "planned":
      return { type: note.type, action: actionOf(run.run, note.deed), at: note.at };
    case "approved":
      return { ...note, action: asKept(run, note.action) };
    case "requested":
    case "denied":
      return note;
    default:
      return note satisfies never;
  }
}

/** An action that a person may have written, as it will be known when it has been carried out. */
function asKept(run: Runner, { method, params }: { method: string; params: JsonObject }) {
  return run.run.tools.tool(method)?.guard?.actionOf(params) ?? { method, params };
}

function updateEvent(run: Runner, payload: JsonObject): NewEvent {
  const { id: run_id, conversation_id, parent_run_id, agent_id, latest } = run.state;
  return {
    id: randomUUIDv7(),
    ...{ conversation_id, agent_id, run_id, parent_run_id, payload },
    type: "memory.updated",
    actor: actorOf(run),
    caused_by: latest,
    occurred_at: new Date(run.engine.ports.clock.now()).toISOString(),
  };
}

function actorOf({ state: { agent_id } }: Runner): string {
  return agent_id === null ? "system" : `agent:${agent_id}`;
}
