import {
  type AGUIEventOf,
  EventType,
  type Interrupt,
  type Message,
  type ResumeEntry,
  type TokenUsage,
} from "@ag-ui/core";
import type { JsonObject } from "../../session/json/json.ts";
import { actorOf, endCall, outputOf } from "./map-parts.ts";
import { identifierOf, idOf, short } from "./names.ts";
import { jsonOf, objectOf, type RunEvents, textOf } from "./run-events.ts";
import { stateWrites } from "./state.ts";

/** A run starts, after the new messages and interrupt answers in its input. */
export function emitRunStart(events: RunEvents, event: AGUIEventOf<EventType.RUN_STARTED>): void {
  const { mapped, threadId } = events;
  const { input, parentRunId } = event;
  if (mapped.isEmpty)
    events.emit(
      "conversation.created",
      { channel: "ag-ui" },
      { id: idOf(threadId, "created"), run_id: null, actor: "system" },
    );
  for (const entry of input?.resume ?? []) answerInterrupt(events, entry);
  const heard = emitMessages(events, input?.messages ?? [], null);
  const state = input?.state === undefined ? mapped.state : jsonOf(input.state);
  const parent = parentRunId === undefined ? null : identifierOf(parentRunId);
  events.emit(
    "run.started",
    {
      ...(input?.forwardedProps !== undefined && { input: jsonOf(input.forwardedProps) }),
      ...(input && input.tools.length > 0 && { tools: input.tools.map(jsonOf) }),
      ...(input && input.context.length > 0 && { context: jsonOf(input.context) }),
    },
    { id: events.id("started"), parent_run_id: parent, caused_by: heard, actor: "agent:assistant" },
  );
  writeState(events, state);
}

/** Emits the writes from the current state to another one. */
export function writeState(events: RunEvents, after: JsonObject[string], subagentRunId?: string): void {
  const { mapped } = events;
  const { id: runId, run } = events.placeOf(events.runOf(subagentRunId));
  for (const write of stateWrites(mapped.state, after)) {
    const id = events.id("state", runId === events.runId ? "" : runId, String(run?.writes ?? 0));
    events.emit("state.written", { ...write }, { id, run_id: runId });
  }
  mapped.state = after;
}

/** Emits the messages that were not emitted yet. Returns the id of the last one's event. */
export function emitMessages(events: RunEvents, messages: readonly Message[], runId: string | null): string | null {
  let last: string | null = null;
  for (const message of messages) last = tellMessage(events, message, runId) ?? last;
  return last;
}

function tellMessage(events: RunEvents, message: Message, runId: string | null): string | null {
  const { mapped, threadId } = events;
  const messageId = identifierOf(message.id);
  if (mapped.messages.has(messageId)) return null;
  const fields = { id: idOf(threadId, "message", message.id), run_id: runId, caused_by: null };
  switch (message.role) {
    case "tool": {
      const callId = identifierOf(message.toolCallId);
      const error = message.error === undefined ? null : { message: message.error };
      if (mapped.calls.has(callId)) endCall(events, callId, { output: outputOf(message.content), error });
      return null;
    }
    case "reasoning":
    case "activity":
      return null;
    case "developer":
    case "system":
    case "user":
    case "assistant": {
      const role = message.role === "developer" ? "system" : message.role;
      const calls = message.role === "assistant" ? (message.toolCalls ?? []) : [];
      const text = textOf(message.content);
      // An answer with only tool calls has no text; its calls are emitted as calls.
      if (text === "" && calls.length > 0) return null;
      const metadata: JsonObject = {
        ...objectOf(message.metadata),
        ...(Array.isArray(message.content) && { content: jsonOf(message.content) }),
      };
      return events.emit(
        "message.created",
        {
          message_id: messageId,
          role,
          content: text,
          ...(message.name !== undefined && { name: short(message.name) }),
          ...(Object.keys(metadata).length > 0 && { metadata }),
        },
        { ...fields, actor: actorOf(role, message.name ?? null) },
      );
    }
    default:
      return message satisfies never;
  }
}

/** A person's answer to an interrupt: the decision on a confirmation. The interrupted run ends with it. */
function answerInterrupt(events: RunEvents, { interruptId, status, payload }: ResumeEntry): void {
  const { mapped, threadId } = events;
  const confirmationId = idOf(threadId, "interrupt", interruptId);
  const asking = mapped.asked.get(confirmationId);
  if (asking !== undefined) {
    const isDenied = status === "cancelled" || payload === false || objectOf(payload)?.approved === false;
    const fields = { id: idOf(threadId, "answer", interruptId), run_id: asking, actor: "user" };
    events.emit(
      isDenied ? "confirmation.denied" : "confirmation.approved",
      { confirmation_id: confirmationId, ...(payload !== undefined && { result: jsonOf(payload) }) },
      fields,
    );
  }
  for (const [runId, run] of mapped.runs) {
    if (!run.waiting || [...mapped.asked.values()].includes(runId)) continue;
    events.emit(
      "run.finished",
      { reason: `It goes on as ${events.runId}` },
      { id: idOf(threadId, runId, "resumed", events.runId), run_id: runId },
    );
  }
}

/** A run ends, or is interrupted. */
export function emitRunEnd(events: RunEvents, event: AGUIEventOf<EventType.RUN_FINISHED>): void {
  const { outcome, result, usage } = event;
  emitUsage(events, usage);
  const output = { ...(result !== undefined && { output: jsonOf(result) }) };
  const fields = { id: events.id("finished"), actor: "agent:assistant" };
  switch (outcome?.type) {
    case "interrupt":
      return wait(events, outcome.interrupts);
    case "cancelled":
      endChildren(events);
      events.emit("run.cancelled", output, fields);
      return;
    case "success":
    case undefined:
      endChildren(events);
      events.emit("run.finished", output, fields);
      return;
    default:
      return outcome satisfies never;
  }
}

/** A run fails. */
export function emitRunError(events: RunEvents, { message, code, usage }: AGUIEventOf<EventType.RUN_ERROR>): void {
  emitUsage(events, usage);
  endChildren(events);
  events.emit(
    "run.failed",
    { error: { code: short(code ?? "error"), message } },
    { id: events.id("failed"), actor: "agent:assistant" },
  );
}

/** An interrupt about a call without a result is a confirmation; any other is recorded in the waiting run. */
function wait(events: RunEvents, interrupts: readonly Interrupt[]): void {
  const { mapped, threadId } = events;
  for (const interrupt of interrupts) {
    const callId = interrupt.toolCallId === undefined ? null : identifierOf(interrupt.toolCallId);
    const call = callId === null ? undefined : mapped.calls.get(callId);
    if (callId === null || !call || call.ended) continue;
    const { run_id, tool, iteration } = call;
    const confirmation_id = idOf(threadId, "interrupt", interrupt.id);
    const description = interrupt.message ?? interrupt.reason;
    const asked = events.emit(
      "confirmation.requested",
      {
        confirmation_id,
        key: confirmation_id,
        call_id: callId,
        iteration,
        action: { method: tool, params: objectOf(call.params) ?? {} },
        description,
        reason: interrupt.reason,
      },
      { id: events.id("asked", interrupt.id), run_id, caused_by: call.started_by },
    );
    events.emit(
      "call.parked",
      { call_id: callId, iteration, tool, confirmation_id, reason: interrupt.reason },
      { id: events.id("parked", interrupt.id), run_id, caused_by: asked },
    );
  }
  const reason = interrupts.map(({ message, reason }) => message ?? reason).join("; ");
  events.emit(
    "run.waiting",
    { reason, output: { interrupts: interrupts.map(jsonOf) } },
    { id: events.id("waiting"), actor: "agent:assistant" },
  );
}

/** The token usage of the run's models, one event per model. */
function emitUsage(events: RunEvents, usage: readonly TokenUsage[] | undefined): void {
  for (const [index, { provider, model, inputTokens, outputTokens }] of (usage ?? []).entries())
    events.emit(
      "model.responded",
      {
        model: short(model ?? "unknown"),
        provider: short(provider ?? "unknown"),
        ...(isCount(inputTokens) && { input_tokens: inputTokens }),
        ...(isCount(outputTokens) && { output_tokens: outputTokens }),
      },
      { id: events.id("usage", String(index)) },
    );
}

function isCount(tokens: number | undefined): tokens is number {
  return tokens !== undefined && tokens >= 0;
}

/** When a run ends, so do its subagents. */
function endChildren(events: RunEvents): void {
  const { mapped } = events;
  for (const [runId, run] of [...mapped.runs].reverse()) {
    if (run.ended || !isBelow(events, run.parent_run_id)) continue;
    events.emit(
      "run.cancelled",
      { reason: `The run ${events.runId} has ended` },
      { id: events.id("left", runId), run_id: runId },
    );
  }
}

function isBelow(events: RunEvents, parentId: string | null): boolean {
  if (parentId === null) return false;
  if (parentId === events.runId) return true;
  const parent = events.mapped.runs.get(parentId);
  return (
    parent !== undefined && parentId.startsWith(events.id("subagent", "")) && isBelow(events, parent.parent_run_id)
  );
}

/** A subagent is a run below the stream's own, or below the subagent that called it. */
export function emitSubagentStart(events: RunEvents, event: AGUIEventOf<EventType.SUBAGENT_STARTED>): void {
  const runId = events.runOf(event.subagentRunId);
  const parent = events.placeOf(events.runOf(event.parentSubagentRunId));
  if (events.mapped.runs.has(runId)) {
    events.emit(
      "run.resumed",
      {},
      { id: events.id("resumed", event.subagentRunId, String(parent.run?.logs)), run_id: runId },
    );
    return;
  }
  const call = event.parentToolCallId === undefined ? null : identifierOf(event.parentToolCallId);
  events.emit(
    "run.started",
    {
      delegate: short(event.name),
      ...(event.description !== undefined && { input: event.description }),
      ...(call !== null && { call_id: call }),
    },
    {
      id: events.id("subagent", event.subagentRunId, "started"),
      run_id: runId,
      parent_run_id: parent.id,
      agent_id: short(event.name),
      caused_by: (call && events.mapped.calls.get(call)?.started_by) ?? parent.run?.cause ?? null,
    },
  );
}

/** A subagent ends, or waits with its run. */
export function emitSubagentEnd(
  events: RunEvents,
  event: AGUIEventOf<EventType.SUBAGENT_FINISHED> | AGUIEventOf<EventType.SUBAGENT_ERROR>,
): void {
  const runId = events.runOf(event.subagentRunId);
  if (!events.mapped.runs.has(runId)) return;
  const fields = { id: events.id("subagent", event.subagentRunId, "ended"), run_id: runId };
  if (event.type === EventType.SUBAGENT_ERROR)
    events.emit("run.failed", { error: { code: short(event.code ?? "error"), message: event.message } }, fields);
  else if (event.outcome?.type === "suspended") events.emit("run.waiting", {}, fields);
  else events.emit("run.finished", event.result === undefined ? {} : { output: jsonOf(event.result) }, fields);
}
