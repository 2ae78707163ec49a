import type { NewEvent } from "../../../db/repositories.ts";
import type { Payload } from "../../session/catalogue.ts";
import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import { readJson } from "../../session/json/json-text.ts";
import type { EventType } from "../../session/kinds.ts";
import { EVENT_DEPTH } from "../import-format.ts";
import { type EventFields, newEvent } from "../new-event.ts";
import type { MappedRun, MappedState } from "./mapped-state.ts";
import { idOf, timeOf } from "./names.ts";

/** Arguments and results that nest deeper stay text: inside their event they stand levels down. */
const EMBEDDED_DEPTH = EVENT_DEPTH - 4;

/** The events of one run of a thread on their way, with what was told before. */
export class RunEvents {
  readonly threadId: string;
  readonly runId: string;
  readonly mapped: MappedState;
  /** When what is told now happened, where the stream says so. */
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

  /** The run that something is told in: the subagent's that it is attributed to, or the stream's own. */
  runOf(subagentRunId: string | undefined): string {
    return subagentRunId === undefined ? this.runId : this.id("subagent", subagentRunId);
  }

  /** What has been told of a run; a subagent that was never announced is told with the stream's own run. */
  placeOf(runId: string): { id: string; run: MappedRun | undefined } {
    const run = this.mapped.runs.get(runId);
    return run ? { id: runId, run } : { id: this.runId, run: this.mapped.runs.get(this.runId) };
  }

  setTime(timestamp: number | undefined): void {
    this.at = timeOf(timestamp);
  }

  /** Adds an event of a run, the stream's own by default; gives its id. */
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

  /** Keeps what the catalogue has no word for: the event as it came. */
  log(text: string, event: JsonObject, subagentRunId?: string): void {
    const { id: runId, run } = this.placeOf(this.runOf(subagentRunId));
    const id = this.id("log", runId === this.runId ? "" : runId, String(run?.logs ?? 0));
    this.emit("log", { text, ag_ui: event }, { id, run_id: runId });
  }

  /** What was added since. */
  take(): NewEvent[] {
    const { news } = this;
    this.news = [];
    return news;
  }
}

/** Arguments and results are JSON inside a text, as a rule; what is not stays the text it is. */
export function embedded(text: string): Json {
  const read = readJson(text, EMBEDDED_DEPTH, "as_written");
  return read.ok ? read.value : text;
}

/** The text of a content; a part that is no text stands as its type, so that its absence shows. */
export function textOf(content: string | readonly { type: string; text?: unknown }[] | undefined): string {
  if (typeof content === "string") return content;
  return (content ?? []).map(({ type, text }) => (typeof text === "string" ? text : `[${type}]`)).join("\n");
}

/** An object as it came, if it is one: `any` of the protocol's types ends here. */
export function objectOf(value: unknown): JsonObject | null {
  return isJson(value) && isJsonObject(value) ? value : null;
}

/** Any value as it came; what is missing is null. */
export function jsonOf(value: unknown): Json {
  return isJson(value) ? value : null;
}

function isJson(value: unknown): value is Json {
  return value !== undefined;
}
