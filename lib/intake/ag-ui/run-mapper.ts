import { type AGUIEvent, type AGUIEventOf, EventType } from "@ag-ui/core";
import type { NewEvent } from "../../../db/repositories.ts";
import type { JsonObject } from "../../session/json/json.ts";
import { patched } from "../../session/json/patch.ts";
import type { StreamEvent } from "./event.ts";
import { AgUiFault } from "./fault.ts";
import { emitPart, emitResult } from "./map-parts.ts";
import {
  emitMessages,
  emitRunEnd,
  emitRunError,
  emitRunStart,
  emitSubagentEnd,
  emitSubagentStart,
  writeState,
} from "./map-run.ts";
import { BROKEN_OFF, type MappedState } from "./mapped-state.ts";
import { type OpenPart, OpenParts } from "./open-parts.ts";
import { jsonOf, RunEvents } from "./run-events.ts";

type Chunk =
  | AGUIEventOf<EventType.TEXT_MESSAGE_CHUNK>
  | AGUIEventOf<EventType.TOOL_CALL_CHUNK>
  | AGUIEventOf<EventType.REASONING_MESSAGE_CHUNK>;

/**
 * Maps a run of AG-UI to events, one event of the stream at a time: a text when it ends, a call with all its arguments,
 * of the state the changes. It continues from what was emitted before, so that a stream that is split into several
 * requests gives the same events.
 */
export class RunMapper {
  private readonly telling: RunEvents;
  private readonly open = new OpenParts();

  constructor(threadId: string, runId: string, mapped: MappedState) {
    this.telling = new RunEvents(threadId, runId, mapped);
  }

  /** The run has ended, and not because of an interruption. */
  get isOver(): boolean {
    const run = this.telling.mapped.runs.get(this.telling.runId);
    return run !== undefined && (run.ended || run.waiting) && !run.broken;
  }

  /** Texts that have not ended. */
  get unfinished(): { kind: OpenPart["kind"]; id: string }[] {
    return this.open.list().map(({ kind, id }) => ({ kind, id }));
  }

  /** Maps an event of the stream. Throws `AgUiFault` with its place; then nothing of it is emitted. */
  take(event: StreamEvent, place: number): NewEvent[] {
    const { known } = event;
    if (this.isOver) throw new AgUiFault("the run has ended; start another run", { place });
    this.telling.setTime(known?.timestamp);
    if (known === null) this.telling.log(event.type, event.raw);
    else {
      if (known.type !== EventType.RAW) this.endChunks(known);
      this.tell(known, event.raw, place);
    }
    return this.telling.take();
  }

  /** What was emitted before an invalid event: chunks that it ended. */
  rest(): NewEvent[] {
    return this.telling.take();
  }

  /** The stream was interrupted, and nobody continues it. */
  breakOff(): NewEvent[] {
    const { telling } = this;
    const run = telling.mapped.runs.get(telling.runId);
    if (!run || run.ended || run.waiting) return [];
    telling.setTime(undefined);
    telling.emit(
      "run.failed",
      { error: { code: BROKEN_OFF, message: "The stream of this run ended prematurely" }, reason: BROKEN_OFF },
      { id: telling.id("broken", String(run.breaks)), actor: "system" },
    );
    return telling.take();
  }

  /** An interrupted run continues. `breaks` is how often it was interrupted. */
  resume(breaks: number): NewEvent[] {
    this.telling.setTime(undefined);
    this.telling.emit("run.resumed", {}, { id: this.telling.id("resumed", String(breaks)) });
    return this.telling.take();
  }

  private tell(event: AGUIEvent, raw: JsonObject, place: number): void {
    const { telling, open } = this;
    switch (event.type) {
      case EventType.RUN_STARTED:
        return emitRunStart(telling, event);
      case EventType.RUN_FINISHED:
        this.cutOpen();
        return emitRunEnd(telling, event);
      case EventType.RUN_ERROR:
        this.cutOpen();
        return emitRunError(telling, event);
      case EventType.TEXT_MESSAGE_START:
        open.begin({ ...partOf(event), kind: "message", id: event.messageId, role: event.role ?? "assistant" }, place);
        return;
      case EventType.REASONING_MESSAGE_START:
        open.begin({ ...partOf(event), kind: "reasoning", id: event.messageId }, place);
        return;
      case EventType.TOOL_CALL_START:
        open.begin({ ...partOf(event), kind: "call", id: event.toolCallId, name: event.toolCallName }, place);
        return;
      case EventType.TEXT_MESSAGE_CONTENT:
        return open.add(open.expect("message", event.messageId, event.type, place), event.delta, place);
      case EventType.REASONING_MESSAGE_CONTENT:
        return open.add(open.expect("reasoning", event.messageId, event.type, place), event.delta, place);
      case EventType.TOOL_CALL_ARGS:
        return open.add(open.expect("call", event.toolCallId, event.type, place), event.delta, place);
      case EventType.TEXT_MESSAGE_END:
        return this.end(open.expect("message", event.messageId, event.type, place), event);
      case EventType.REASONING_MESSAGE_END:
        return this.end(open.expect("reasoning", event.messageId, event.type, place), event);
      case EventType.TOOL_CALL_END:
        return this.end(open.expect("call", event.toolCallId, event.type, place), event);
      case EventType.TEXT_MESSAGE_CHUNK:
      case EventType.TOOL_CALL_CHUNK:
      case EventType.REASONING_MESSAGE_CHUNK:
        return this.chunk(event, place);
      case EventType.TOOL_CALL_RESULT:
        return emitResult(telling, event, raw);
      case EventType.STATE_SNAPSHOT:
        return writeState(telling, jsonOf(event.snapshot), event.subagentRunId);
      case EventType.STATE_DELTA:
        return writeState(telling, this.stateAfter(event, place), event.subagentRunId);
      case EventType.MESSAGES_SNAPSHOT:
        emitMessages(telling, event.messages, telling.runId);
        return;
      case EventType.SUBAGENT_STARTED:
        return emitSubagentStart(telling, event);
      case EventType.SUBAGENT_FINISHED:
      case EventType.SUBAGENT_ERROR:
        return emitSubagentEnd(telling, event);
      case EventType.REASONING_START:
      case EventType.REASONING_END:
        // They enclose the reasoning, which is emitted.
        return;
      case EventType.STEP_STARTED:
      case EventType.STEP_FINISHED:
        return telling.log(event.stepName, raw, event.subagentRunId);
      case EventType.CUSTOM:
        return telling.log(event.name, raw, event.subagentRunId);
      case EventType.ACTIVITY_SNAPSHOT:
      case EventType.ACTIVITY_DELTA:
        return telling.log(event.activityType, raw, event.subagentRunId);
      case EventType.REASONING_ENCRYPTED_VALUE:
      case EventType.RAW:
        return telling.log(event.type, raw, event.subagentRunId);
      default:
        return event satisfies never;
    }
  }

  private stateAfter({ delta }: AGUIEventOf<EventType.STATE_DELTA>, place: number) {
    try {
      return patched(this.telling.mapped.state, delta);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new AgUiFault(`STATE_DELTA: the patch does not apply to the state: ${reason}`, { place, path: "/delta" });
    }
  }

  private end(part: OpenPart, { metadata }: { metadata?: Record<string, unknown> }): void {
    this.open.end(part);
    emitPart(this.telling, metadata === undefined ? part : { ...part, metadata: { ...part.metadata, ...metadata } });
  }

  /** Texts that have not ended with their run are emitted as far as they came. */
  private cutOpen(): void {
    for (const part of this.open.list()) {
      this.open.end(part);
      emitPart(this.telling, part, true);
    }
  }

  /** Chunks start a text implicitly, and end with the next other event. */
  private chunk(event: Chunk, place: number): void {
    const kind = CHUNKS[event.type];
    const id = event.type === EventType.TOOL_CALL_CHUNK ? event.toolCallId : event.messageId;
    const current = id === undefined ? this.open.chunk(kind) : this.open.find(kind, id);
    const part = current ?? this.beginChunk(event, kind, id, place);
    if (event.delta !== undefined) this.open.add(part, event.delta, place);
  }

  private beginChunk(event: Chunk, kind: OpenPart["kind"], id: string | undefined, place: number): OpenPart {
    if (id === undefined) throw new AgUiFault(`${event.type}: the first one must have the id of its text`, { place });
    const begun = { ...partOf(event), kind, id, chunked: true };
    if (event.type !== EventType.TOOL_CALL_CHUNK)
      return this.open.begin(
        event.type === EventType.TEXT_MESSAGE_CHUNK ? { ...begun, role: event.role ?? "assistant" } : begun,
        place,
      );
    if (event.toolCallName === undefined)
      throw new AgUiFault(`${event.type}: the first one of a call must name its tool`, { place });
    return this.open.begin({ ...begun, name: event.toolCallName }, place);
  }

  /** Ends chunked texts, unless this is their next chunk. */
  private endChunks(event: AGUIEvent): void {
    for (const part of this.open.list()) {
      if (!part.chunked || isNextOf(part, event)) continue;
      this.open.end(part);
      emitPart(this.telling, part);
    }
  }
}

const CHUNKS = {
  [EventType.TEXT_MESSAGE_CHUNK]: "message",
  [EventType.TOOL_CALL_CHUNK]: "call",
  [EventType.REASONING_MESSAGE_CHUNK]: "reasoning",
} as const;

function isNextOf(part: OpenPart, event: AGUIEvent): boolean {
  switch (event.type) {
    case EventType.TEXT_MESSAGE_CHUNK:
    case EventType.REASONING_MESSAGE_CHUNK:
      return part.kind === CHUNKS[event.type] && (event.messageId === undefined || event.messageId === part.id);
    case EventType.TOOL_CALL_CHUNK:
      return part.kind === "call" && (event.toolCallId === undefined || event.toolCallId === part.id);
    default:
      return false;
  }
}

function partOf(event: { name?: string; subagentRunId?: string; metadata?: Record<string, unknown> }) {
  return {
    role: "assistant" as const,
    name: event.name ?? null,
    subagentRunId: event.subagentRunId,
    metadata: event.metadata,
    chunked: false,
  };
}
