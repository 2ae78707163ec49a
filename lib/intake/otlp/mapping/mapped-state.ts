import type { ToldEvent } from "../../../../db/repositories.ts";
import type { EventType } from "../../../session/events/kinds.ts";
import { isJsonObject, type Json } from "../../../session/json/json.ts";

/** The types of which more is needed than what stands beside the payload. */
export const MAPPED_PAYLOADS = ["model.responded", "prompt.rendered"] as const satisfies readonly EventType[];

/** A call that a model has asked for. */
export interface AskedCall {
  /** As the model names it. */
  id: string | null;
  tool: string;
  arguments: Json;
  iteration: number;
  /** The event that asked. */
  cause: string;
}

/** A run as the log has it. */
export interface MappedRun {
  iteration: number;
  instructions: string | null;
  ended: boolean;
  asked: AskedCall[];
  /** Ids of calls that have started. */
  calls: Set<string>;
}

/** What the log has of a trace: what its spans that come later go on from. */
export interface MappedState {
  spans: Map<string, { conversation_id: string; run_id: string | null }>;
  runs: Map<string, MappedRun>;
  /** The runs that were begun for spans that had not come, by the span's id. */
  awaited: Map<string, { conversation_id: string; run_id: string }>;
}

/** Reads what a trace's events tell, oldest first. */
export function readMappedState(events: readonly ToldEvent[]): MappedState {
  const mapped: MappedState = { spans: new Map(), runs: new Map(), awaited: new Map() };
  for (const event of events) {
    const [, , spanId = "", awaited = ""] = event.id.split(":");
    if (spanId === "awaited") {
      const { conversation_id, run_id } = event;
      if (event.type === "run.started" && run_id !== null) mapped.awaited.set(awaited, { conversation_id, run_id });
    } else if (!mapped.spans.get(spanId)?.run_id) {
      mapped.spans.set(spanId, { conversation_id: event.conversation_id, run_id: event.run_id });
    }
    if (event.run_id !== null) readRun(runOf(mapped, event.run_id), event);
  }
  return mapped;
}

function runOf(mapped: MappedState, runId: string): MappedRun {
  const known = mapped.runs.get(runId);
  if (known) return known;
  const run: MappedRun = { iteration: 0, instructions: null, ended: false, asked: [], calls: new Set() };
  mapped.runs.set(runId, run);
  return run;
}

function readRun(run: MappedRun, { id, type, call_id, iteration, payload }: ToldEvent): void {
  switch (type) {
    case "run.iteration":
      run.iteration = Math.max(run.iteration, iteration ?? 0);
      return;
    case "run.finished":
    case "run.failed":
      run.ended = true;
      return;
    case "run.resumed":
      run.ended = false;
      return;
    case "call.started":
      if (call_id !== null) run.calls.add(call_id);
      return;
    case "prompt.rendered":
      if (isJsonObject(payload) && typeof payload.prompt === "string") run.instructions = payload.prompt;
      return;
    case "model.responded": {
      if (!isJsonObject(payload)) return;
      const asked = typeof payload.iteration === "number" ? payload.iteration : 0;
      // Of a run that was over, this alone tells that a model was asked in it.
      run.iteration = Math.max(run.iteration, asked);
      run.asked.push(...askedIn(payload.output, { iteration: asked, cause: id }));
      return;
    }
    default:
      return;
  }
}

/** The calls that a model's output asks for, as its event has it. */
export function askedIn(output: Json | undefined, from: Pick<AskedCall, "iteration" | "cause">): AskedCall[] {
  if (!Array.isArray(output)) return [];
  return output.flatMap((message) => {
    const parts = isJsonObject(message) && Array.isArray(message.parts) ? message.parts : [];
    return parts.flatMap((part) => {
      if (!isJsonObject(part) || part.type !== "tool_call" || typeof part.name !== "string") return [];
      const id = typeof part.id === "string" ? part.id : null;
      return [{ id, tool: part.name, arguments: part.arguments ?? null, ...from }];
    });
  });
}
