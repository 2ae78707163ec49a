import type { NewEvent } from "../../../db/repositories.ts";
import type { Payload } from "../../session/events/catalogue.ts";
import type { EventType } from "../../session/events/kinds.ts";
import { isJson, isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import { readJson } from "../../session/json/json-text.ts";
import { EVENT_DEPTH } from "../import-format.ts";
import { type EventFields, newEvent } from "../new-event.ts";
import type { MappedRun, MappedState } from "./mapped-state.ts";
import { idOf, timeOf } from "./names.ts";

/** Arguments and results that are nested deeper stay text: in their event they are some levels deeper. */
const EMBEDDED_DEPTH = EVENT_DEPTH - 4;

/** The new events of a run of a thread, and the state of those before. */
export class RunEvents {
  readonly threadId: string;
  readonly runId: string;
  readonly mapped: MappedState;
  /** The time of the stream's current event, if it has one. */
  at: string | null = null;
  private news: NewEvent[] = [];

  constructor(threadId: string, runId: string, mapped: MappedState) {
    this.threadId = threadId;
    this.runId = runId;
    this.mapped = mapped;
  }

  /** An id of the run's own. */
  id(...parts: readonly string[]): string {
    return idOf(this.threadId, this.runId, ...parts);
  }

  /** The run of an event: the subagent it is attributed to, or the stream's own. */
  runOf(subagentRunId: string | undefined): string {
    return subagentRunId === undefined ? this.runId : this.id("subagent", subagentRunId);
  }

  /** The state of a run; events of an unannounced subagent belong to the stream's run. */
  placeOf(runId: string): { id: string; run: MappedRun | undefined } {
    const run = this.mapped.runs.get(runId);
    return run ? { id: runId, run } : { id: this.runId, run: this.mapped.runs.get(this.runId) };
  }

  setTime(timestamp: number | undefined): void {
    this.at = timeOf(timestamp);
  }

  /** Adds an event of a run, by default the stream's own; returns its id. */
  emit<T extends EventType>(type: T, payload: Payload<T> & JsonObject, fields: EventFields): string {
    const runId = fields.run_id === undefined ? this.runId : fields.run_id;
    const run = this.mapped.runs.get(runId ?? "");
    const event = newEvent(type, payload, {
      conversation_id: this.threadId,
      occurred_at: this.at,
      parent_run_id: run?.parent_run_id ?? null,
      caused_by: run?.cause ?? null,
      ...fields,
      run_id: runId,
    });
    this.mapped.take(event);
    this.news.push(event);
    return event.id;
  }

  /** Records an AG-UI event that has no equivalent in the catalogue unchanged. */
  log(text: string, event: JsonObject, subagentRunId?: string): void {
    const { id: runId, run } = this.placeOf(this.runOf(subagentRunId));
    const id = this.id("log", runId === this.runId ? "" : runId, String(run?.logs ?? 0));
    this.emit("log", { text, ag_ui: event }, { id, run_id: runId });
  }

  /** Removes and returns the added events. */
  take(): NewEvent[] {
    const { news } = this;
    this.news = [];
    return news;
  }
}

/** Arguments and results are usually JSON in a string; others stay strings. */
export function embedded(text: string): Json {
  const read = readJson(text, EMBEDDED_DEPTH, "as_written");
  return read.ok ? read.value : text;
}

/** The text of a content; parts that are not text are replaced by their type. */
export function textOf(content: string | readonly { type: string; text?: unknown }[] | undefined): string {
  if (typeof content === "string") return content;
  return (content ?? []).map(({ type, text }) => (typeof text === "string" ? text : `[${type}]`)).join("\n");
}

/** An object, if the value is one: the protocol's types have `any` here. */
export function objectOf(value: unknown): JsonObject | null {
  return isJson(value) && isJsonObject(value) ? value : null;
}

/** Any value; null if missing. */
export function jsonOf(value: unknown): Json {
  return isJson(value) ? value : null;
}
