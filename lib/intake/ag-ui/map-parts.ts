import type { AGUIEventOf, EventType } from "@ag-ui/core";
import type { JsonObject } from "../../session/json/json.ts";
import { identifierOf, short } from "./names.ts";
import type { OpenPart } from "./open-parts.ts";
import { embedded, jsonOf, objectOf, type RunEvents, textOf } from "./run-events.ts";

/** Emits a complete text. `cut`: the run ended before the text did. */
export function emitPart(events: RunEvents, part: OpenPart, cut = false): void {
  switch (part.kind) {
    case "message":
      return tellMessage(events, part, cut);
    case "call":
      return emitCall(events, part);
    case "reasoning":
      return events.log(
        part.text.join(""),
        { type: "REASONING_MESSAGE", messageId: part.id, ...(cut && { cut: true }) },
        part.subagentRunId,
      );
    default:
      return part.kind satisfies never;
  }
}

function tellMessage(events: RunEvents, part: OpenPart, cut: boolean): void {
  const { id: runId } = events.placeOf(events.runOf(part.subagentRunId));
  const metadata: JsonObject = { ...objectOf(part.metadata), ...(cut && { cut: true }) };
  const role = part.role === "developer" ? "system" : part.role;
  events.emit(
    "message.created",
    {
      message_id: identifierOf(part.id),
      role,
      content: part.text.join(""),
      ...(part.name !== null && { name: short(part.name) }),
      ...(Object.keys(metadata).length > 0 && { metadata }),
    },
    { id: events.id("message", part.id), run_id: runId, actor: actorOf(role, part.name) },
  );
}

/** The actor of a message with this role. */
export function actorOf(role: "system" | "assistant" | "user", name: string | null): string {
  if (role === "system") return "system";
  const kind = role === "user" ? "user" : "agent";
  return name === null ? (role === "user" ? "user" : "agent:assistant") : short(`${kind}:${name}`);
}

/** Emits a call with all its arguments. Calls after a result belong to the next iteration. */
function emitCall(events: RunEvents, part: OpenPart): void {
  const { id: runId, run } = events.placeOf(events.runOf(part.subagentRunId));
  if (run?.answered) {
    const iteration = run.iteration + 1;
    events.emit(
      "run.iteration",
      { iteration },
      { id: events.id("iteration", runId, String(iteration)), run_id: runId },
    );
  }
  const tool = identifierOf(part.name ?? "tool");
  const text = part.text.join("");
  events.emit(
    "call.started",
    {
      call_id: identifierOf(part.id),
      ...(run && { iteration: run.iteration }),
      tool,
      params: text === "" ? {} : embedded(text),
    },
    { id: events.id("call", part.id), run_id: runId, actor: "agent:assistant" },
  );
}

/** Emits a tool's result. A failure is in the metadata, as the protocol has no field for it. */
export function emitResult(events: RunEvents, event: AGUIEventOf<EventType.TOOL_CALL_RESULT>, raw: JsonObject): void {
  const { toolCallId, content } = event;
  const callId = identifierOf(toolCallId);
  const call = events.mapped.calls.get(callId);
  if (!call) return events.log(`A result of the call ${toolCallId}, which was not told`, raw, event.subagentRunId);
  if (call.ended) return events.log(`Another result of the call ${toolCallId}`, raw, event.subagentRunId);
  endCall(events, callId, { output: outputOf(content), error: objectOf(event.metadata?.error) });
}

/** Ends an open call, in the run that started it. */
export function endCall(
  events: RunEvents,
  callId: string,
  { output, error }: { output: JsonObject[string]; error: JsonObject | null },
): void {
  const call = events.mapped.calls.get(callId);
  if (!call || call.ended) return;
  const { run_id, tool, iteration, started_by } = call;
  const fields = {
    id: events.id("result", callId),
    run_id,
    actor: short(`tool:${tool}`),
    caused_by: started_by,
  };
  const common = { call_id: callId, iteration, tool };
  if (error === null) {
    events.emit("call.succeeded", { ...common, output }, fields);
    return;
  }
  const { code, message } = error;
  const failure = {
    code: short(typeof code === "string" ? code : "error"),
    message: typeof message === "string" ? message : textIn(output),
  };
  events.emit("call.failed", { ...common, error: failure }, fields);
}

/** A tool's output: JSON in a string, or the parts as they are if they are not all text. */
export function outputOf(content: string | readonly { type: string; text?: unknown }[]): JsonObject[string] {
  const isText = typeof content === "string" || content.every(({ type }) => type === "text");
  return isText ? embedded(textOf(content)) : jsonOf(content);
}

function textIn(output: JsonObject[string]): string {
  return typeof output === "string" ? output : JSON.stringify(output);
}
