import {
  type AGUIEventOf,
  EventType,
  type Interrupt,
  type Message,
  type ResumeEntry,
  type TokenUsage,
} from "@ag-ui/core";
import type { JsonObject } from "../../session/json.ts";
import { identifierOf, idOf, short } from "./names.ts";
import { stateWrites } from "./state.ts";
import { actorOf, endCall, outputOf } from "./tell-parts.ts";
import { jsonOf, objectOf, type Telling, textOf } from "./telling.ts";

/** A run begins, after what its input has of messages that were not told, and of answers to what runs before it asked. */
export function tellRunStart(telling: Telling, event: AGUIEventOf<EventType.RUN_STARTED>): void {
  const { told, threadId } = telling;
  const { input, parentRunId } = event;
  if (told.isEmpty)
    telling.emit(
      "conversation.created",
      { channel: "ag-ui" },
      { id: idOf(threadId, "created"), run_id: null, actor: "system" },
    );
  for (const entry of input?.resume ?? []) answerInterrupt(telling, entry);
  const heard = tellMessages(telling, input?.messages ?? [], null);
  const state = input?.state === undefined ? told.state : jsonOf(input.state);
  const parent = parentRunId === undefined ? null : identifierOf(parentRunId);
  telling.emit(
    "run.started",
    {
      ...(input?.forwardedProps !== undefined && { input: jsonOf(input.forwardedProps) }),
      ...(input && input.tools.length > 0 && { tools: input.tools.map(jsonOf) }),
      ...(input && input.context.length > 0 && { context: jsonOf(input.context) }),
    },
    { id: telling.id("started"), parent_run_id: parent, caused_by: heard, actor: "agent:assistant" },
  );
  writeState(telling, state);
}

/** Tells what leads from the state as it is to another one. */
export function writeState(telling: Telling, after: JsonObject[string], subagentRunId?: string): void {
  const { told } = telling;
  const { id: runId, run } = telling.placeOf(telling.runOf(subagentRunId));
  for (const write of stateWrites(told.state, after)) {
    const id = telling.id("state", runId === telling.runId ? "" : runId, String(run?.writes ?? 0));
    telling.emit("state.written", { ...write }, { id, run_id: runId });
  }
  told.state = after;
}

/** Tells those messages that were not told yet. Gives the id of the last one's event. */
export function tellMessages(telling: Telling, messages: readonly Message[], runId: string | null): string | null {
  let last: string | null = null;
  for (const message of messages) last = tellMessage(telling, message, runId) ?? last;
  return last;
}

function tellMessage(telling: Telling, message: Message, runId: string | null): string | null {
  const { told, threadId } = telling;
  const messageId = identifierOf(message.id);
  if (told.messages.has(messageId)) return null;
  const fields = { id: idOf(threadId, "message", message.id), run_id: runId, caused_by: null };
  switch (message.role) {
    case "tool": {
      const callId = identifierOf(message.toolCallId);
      const error = message.error === undefined ? null : { message: message.error };
      if (told.calls.has(callId)) endCall(telling, callId, { output: outputOf(message.content), error });
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
      // An answer that only asks for tools says nothing; its calls are told as calls.
      if (text === "" && calls.length > 0) return null;
      const metadata: JsonObject = {
        ...objectOf(message.metadata),
        ...(Array.isArray(message.content) && { content: jsonOf(message.content) }),
      };
      return telling.emit(
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

/** What a person answered to an interrupt: the decision about a confirmation. The run that waited has ended with it. */
function answerInterrupt(telling: Telling, { interruptId, status, payload }: ResumeEntry): void {
  const { told, threadId } = telling;
  const confirmationId = idOf(threadId, "interrupt", interruptId);
  const asking = told.asked.get(confirmationId);
  if (asking !== undefined) {
    const isDenied = status === "cancelled" || payload === false || objectOf(payload)?.approved === false;
    const fields = { id: idOf(threadId, "answer", interruptId), run_id: asking, actor: "user" };
    telling.emit(
      isDenied ? "confirmation.denied" : "confirmation.approved",
      { confirmation_id: confirmationId, ...(payload !== undefined && { result: jsonOf(payload) }) },
      fields,
    );
  }
  for (const [runId, run] of told.runs) {
    if (!run.waiting || [...told.asked.values()].includes(runId)) continue;
    telling.emit(
      "run.finished",
      { reason: `It goes on as ${telling.runId}` },
      { id: idOf(threadId, runId, "resumed", telling.runId), run_id: runId },
    );
  }
}

/** A run ends, or waits for what it has asked. */
export function tellRunEnd(telling: Telling, event: AGUIEventOf<EventType.RUN_FINISHED>): void {
  const { outcome, result, usage } = event;
  tellUsage(telling, usage);
  const output = { ...(result !== undefined && { output: jsonOf(result) }) };
  const fields = { id: telling.id("finished"), actor: "agent:assistant" };
  switch (outcome?.type) {
    case "interrupt":
      return wait(telling, outcome.interrupts);
    case "cancelled":
      endChildren(telling);
      telling.emit("run.cancelled", output, fields);
      return;
    case "success":
    case undefined:
      endChildren(telling);
      telling.emit("run.finished", output, fields);
      return;
    default:
      return outcome satisfies never;
  }
}

/** A run fails. */
export function tellRunError(telling: Telling, { message, code, usage }: AGUIEventOf<EventType.RUN_ERROR>): void {
  tellUsage(telling, usage);
  endChildren(telling);
  telling.emit(
    "run.failed",
    { error: { code: short(code ?? "error"), message } },
    { id: telling.id("failed"), actor: "agent:assistant" },
  );
}

/** What is asked about a call that has no result is a confirmation; anything else is kept where the run waits. */
function wait(telling: Telling, interrupts: readonly Interrupt[]): void {
  const { told, threadId } = telling;
  for (const interrupt of interrupts) {
    const callId = interrupt.toolCallId === undefined ? null : identifierOf(interrupt.toolCallId);
    const call = callId === null ? undefined : told.calls.get(callId);
    if (callId === null || !call || call.ended) continue;
    const { run_id, tool, iteration } = call;
    const confirmation_id = idOf(threadId, "interrupt", interrupt.id);
    const description = interrupt.message ?? interrupt.reason;
    const asked = telling.emit(
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
      { id: telling.id("asked", interrupt.id), run_id, caused_by: call.started_by },
    );
    telling.emit(
      "call.parked",
      { call_id: callId, iteration, tool, confirmation_id, reason: interrupt.reason },
      { id: telling.id("parked", interrupt.id), run_id, caused_by: asked },
    );
  }
  const reason = interrupts.map(({ message, reason }) => message ?? reason).join("; ");
  telling.emit(
    "run.waiting",
    { reason, output: { interrupts: interrupts.map(jsonOf) } },
    { id: telling.id("waiting"), actor: "agent:assistant" },
  );
}

/** What the run's models took, a line for each. */
function tellUsage(telling: Telling, usage: readonly TokenUsage[] | undefined): void {
  for (const [index, { provider, model, inputTokens, outputTokens }] of (usage ?? []).entries())
    telling.emit(
      "model.responded",
      {
        model: short(model ?? "unknown"),
        provider: short(provider ?? "unknown"),
        ...(isCount(inputTokens) && { input_tokens: inputTokens }),
        ...(isCount(outputTokens) && { output_tokens: outputTokens }),
      },
      { id: telling.id("usage", String(index)) },
    );
}

function isCount(tokens: number | undefined): tokens is number {
  return tokens !== undefined && tokens >= 0;
}

/** A run that ends leaves no subagent running. */
function endChildren(telling: Telling): void {
  const { told } = telling;
  for (const [runId, run] of [...told.runs].reverse()) {
    if (run.ended || !isBelow(telling, run.parent_run_id)) continue;
    telling.emit(
      "run.cancelled",
      { reason: `The run ${telling.runId} has ended` },
      { id: telling.id("left", runId), run_id: runId },
    );
  }
}

function isBelow(telling: Telling, parentId: string | null): boolean {
  if (parentId === null) return false;
  if (parentId === telling.runId) return true;
  const parent = telling.told.runs.get(parentId);
  return (
    parent !== undefined && parentId.startsWith(telling.id("subagent", "")) && isBelow(telling, parent.parent_run_id)
  );
}

/** A subagent is a run below the stream's own, or below the subagent that called it. */
export function tellSubagentStart(telling: Telling, event: AGUIEventOf<EventType.SUBAGENT_STARTED>): void {
  const runId = telling.runOf(event.subagentRunId);
  const parent = telling.placeOf(telling.runOf(event.parentSubagentRunId));
  if (telling.told.runs.has(runId)) {
    telling.emit(
      "run.resumed",
      {},
      { id: telling.id("resumed", event.subagentRunId, String(parent.run?.logs)), run_id: runId },
    );
    return;
  }
  const call = event.parentToolCallId === undefined ? null : identifierOf(event.parentToolCallId);
  telling.emit(
    "run.started",
    {
      delegate: short(event.name),
      ...(event.description !== undefined && { input: event.description }),
      ...(call !== null && { call_id: call }),
    },
    {
      id: telling.id("subagent", event.subagentRunId, "started"),
      run_id: runId,
      parent_run_id: parent.id,
      agent_id: short(event.name),
      caused_by: (call && telling.told.calls.get(call)?.started_by) ?? parent.run?.cause ?? null,
    },
  );
}

/** A subagent ends, or waits with its run. */
export function tellSubagentEnd(
  telling: Telling,
  event: AGUIEventOf<EventType.SUBAGENT_FINISHED> | AGUIEventOf<EventType.SUBAGENT_ERROR>,
): void {
  const runId = telling.runOf(event.subagentRunId);
  if (!telling.told.runs.has(runId)) return;
  const fields = { id: telling.id("subagent", event.subagentRunId, "ended"), run_id: runId };
  if (event.type === EventType.SUBAGENT_ERROR)
    telling.emit("run.failed", { error: { code: short(event.code ?? "error"), message: event.message } }, fields);
  else if (event.outcome?.type === "suspended") telling.emit("run.waiting", {}, fields);
  else telling.emit("run.finished", event.result === undefined ? {} : { output: jsonOf(event.result) }, fields);
}
