import { randomUUIDv7 } from "node:crypto";
import type { NewEvent } from "../../../db/repositories.ts";
import type { Happening } from "../../memory/actions/happening.ts";
import type { Context } from "../../plan/message.ts";
import { isSameJson, type JsonObject } from "../../session/json/json.ts";
import type { DocumentChange } from "../journal.ts";
import { actionOf, effectOf } from "../step/calls/approval-policy.ts";
import type { MemoryNote } from "../step/state/memory-notes.ts";
import type { Runner } from "./runner.ts";

/** Loads the user's current memory when a run starts or resumes (M11, M15). */
const LOOKS = new Set(["run.started", "run.iteration", "run.resumed"]);

/** The change of the user's memory by a run's events, and the run's new view of it; null if there is neither. */
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
      if (!run.engine.ports.ownership)
        run.engine.recordedMemory.set(run.state.conversation_id, { user_id, version: next });
      const payload = { delta, user_id, ...(next === 0 ? {} : { version: next }) };
      return { document: changed ? after : undefined, event: updateEvent(run, payload) };
    },
  };
}

/** The JSON Patch from the memory that the conversation's log recorded last, possibly another user's, to this one. */
function deltaTo(run: Runner, user_id: string, document: JsonObject, version: number) {
  const { memory, conversation_id } = run.state;
  // Other replicas record memories in the conversation, too.
  const told = run.engine.ports.ownership ? undefined : run.engine.recordedMemory.get(conversation_id);
  const isKnown = told?.user_id === user_id && told.version === memory.version;
  return memory.deltaTo(document, isKnown ? version : null);
}

/**
 * The self-check of the user's memory before a model is asked (M10); null if there is no memory. Skipped for agents without
 * tools that act, such as one that only hands over.
 */
export function checkMemory(run: Runner): string[] | null {
  const { memory, clock } = run.engine.ports;
  const { document } = run.state.memory;
  if (!memory || document === null || run.parent !== null) return null;
  if (run.run.tools.list().every(({ control }) => control !== undefined)) return null;
  return memory.check(document, clock.now(), run.state.settings.locale);
}

/** The memory in a context as the model gets it: summarized, and cut to the available size (M12). */
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

/** An action, possibly edited by an operator, as the memory identifies it after its execution. */
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
