import { type AGUIEvent, EventType } from "@ag-ui/core";
import { EventSchemas } from "@ag-ui/core/schemas";
import { parsePath } from "../../plan/output-path.ts";
import { isKnown, type KnownEvent, type SessionEvent } from "../../session/event.ts";
import type { Payload } from "../../session/events/catalogue.ts";
import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import { CallNames, type CallPlace } from "./print-calls.ts";
import { fits, type OpenRun, type Outcome, reasoningOf } from "./print-run.ts";
import { patchOf, withValue } from "./print-state.ts";

/** The maximum number of user messages that wait for a run; then they are emitted without one. */
const MOST_HEARD = 100;

/**
 * Converts a conversation to AG-UI events, one event of the log at a time (`RunMapper` is the inverse). The protocol
 * has one run at a time: concurrent runs are subagents. Types without an equivalent are CUSTOM, named `obelus.` and the
 * event's type; messages outside of runs are not possible, so users' messages wait for the run that answers.
 */
export class AgUiPrinter {
  private readonly threadId: string;
  /** Only this run and its descendants; null for all. */
  private readonly only: string | null;
  private state: JsonObject | null;
  private readonly family = new Set<string>();
  private readonly parents = new Map<string, string | null>();
  private readonly names = new Map<string, number>();
  private readonly calls = new CallNames();
  private readonly agents = new Map<string, string>();
  private heard: { id: string; role: "user"; content: string }[] = [];
  private open: OpenRun | null = null;
  private said: AGUIEvent[] = [];
  /** The only run has ended. */
  isOver = false;

  /** `state`: what readers have as the state already; null for none. */
  constructor(threadId: string, only: string | null, state: JsonObject | null = null) {
    this.threadId = threadId;
    this.only = only;
    this.state = state;
    if (only !== null) this.family.add(only);
  }

  /** The AG-UI events of an event of the log; often none, sometimes several. */
  print(event: SessionEvent): AGUIEvent[] {
    if (this.isForeign(event)) return [];
    if (event.run_id !== null && event.type === "run.started") this.meet(event);
    if (isKnown(event)) this.tell(event);
    else this.custom(event);
    const timestamp = event.occurred_at === null ? null : Date.parse(event.occurred_at);
    const mapped = this.said.map((said) => (timestamp === null ? said : { ...said, timestamp }));
    this.said = [];
    return mapped;
  }

  /** The initial events for a client that starts here: the open run and its state. */
  opening(): AGUIEvent[] {
    if (!this.open) return [];
    const { name, state, hasState, subagents } = this.open;
    return [
      { type: EventType.RUN_STARTED, threadId: this.threadId, runId: name },
      ...[...subagents].map((id) => this.subagentStarted(id)),
      ...(hasState ? [{ type: EventType.STATE_SNAPSHOT, snapshot: state } as const] : []),
    ];
  }

  private isForeign({ run_id, parent_run_id, type }: SessionEvent): boolean {
    if (this.only === null) return false;
    if (run_id === null) return type !== "message.created";
    if (parent_run_id !== null && this.family.has(parent_run_id)) this.family.add(run_id);
    return !this.family.has(run_id);
  }

  private meet({ run_id, parent_run_id, agent_id }: SessionEvent): void {
    if (run_id === null) return;
    this.parents.set(run_id, parent_run_id);
    if (agent_id !== null) this.agents.set(run_id, agent_id);
  }

  private tell(event: KnownEvent): void {
    switch (event.type) {
      case "message.created":
        return this.message(event.run_id, event.payload);
      case "run.started":
      case "run.resumed":
        if (event.payload.queued) return;
        this.enter(event.run_id);
        return;
      case "run.waiting":
        return this.end(event, this.waiting(event));
      case "run.finished":
        return this.end(event, { type: "success" });
      case "run.cancelled":
        return this.end(event, { type: "cancelled" });
      case "run.failed":
        return this.fail(event);
      case "call.started":
        this.startCall(event.run_id, event.payload);
        return;
      case "call.succeeded":
      case "call.failed":
        return this.endCall(event);
      case "state.written":
        return this.write(event);
      case "confirmation.requested":
        this.ask(event.payload, event.run_id);
        return this.custom(event);
      case "confirmation.approved":
      case "confirmation.denied":
        this.open?.asked.delete(event.payload.confirmation_id);
        return this.custom(event);
      case "log":
        return this.log(event);
      default:
        return this.custom(event);
    }
  }

  /** Opens a run if needed; returns how its events are attributed. Null: outside of all runs. */
  private enter(runId: string | null): { subagentRunId?: string } | null {
    if (runId === null) return this.open ? {} : null;
    if (!this.open) this.begin(runId);
    if (this.open?.id === runId) return {};
    if (!this.open?.subagents.has(runId)) {
      this.open?.subagents.add(runId);
      this.said.push(this.subagentStarted(runId));
    }
    return { subagentRunId: runId };
  }

  private begin(runId: string): void {
    const times = this.names.get(runId) ?? 0;
    this.names.set(runId, times + 1);
    const name = times === 0 ? runId : `${runId}:${times + 1}`;
    const parentRunId = this.parents.get(runId) ?? null;
    const messages = this.heard;
    this.heard = [];
    this.open = {
      ...{ id: runId, name, subagents: new Set(), steps: new Set(), asked: new Map() },
      ...{ state: this.state ?? {}, hasState: this.state !== null },
    };
    this.said.push({
      type: EventType.RUN_STARTED,
      threadId: this.threadId,
      runId: name,
      ...(parentRunId !== null && { parentRunId }),
      input: { threadId: this.threadId, runId: name, state: {}, messages, tools: [], context: [] },
    });
  }

  private subagentStarted(runId: string): AGUIEvent {
    const parent = this.parents.get(runId) ?? null;
    return {
      type: EventType.SUBAGENT_STARTED,
      subagentRunId: runId,
      name: this.agents.get(runId) ?? runId,
      ...(parent !== null && this.open?.subagents.has(parent) && { parentSubagentRunId: parent }),
    };
  }

  private message(runId: string | null, payload: Payload<"message.created">): void {
    const { message_id: messageId, role, content, name } = payload;
    // Tools' messages are emitted with their calls.
    if (role === "tool") return;
    if (role === "user" && !this.open && runId === null && this.heard.length < MOST_HEARD) {
      this.heard.push({ id: messageId, role, content });
      return;
    }
    const isAlone = !this.open && runId === null;
    if (isAlone && this.only !== null) return;
    // A person's message outside of all runs: emitted as a run of its own, as the protocol requires one.
    if (isAlone) this.begin(messageId);
    const by = this.enter(runId) ?? {};
    const speaks = role === "operator" ? "assistant" : role;
    this.said.push({
      ...{ type: EventType.TEXT_MESSAGE_START, messageId, role: speaks, ...by },
      ...(name !== undefined && { name }),
    });
    if (content !== "") this.said.push({ type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta: content, ...by });
    this.said.push({ type: EventType.TEXT_MESSAGE_END, messageId, ...by });
    if (isAlone) this.close({ type: "success" });
  }

  private startCall(runId: string | null, payload: CallPlace & { tool: string; params?: Json | undefined }): string {
    const by = this.enter(runId);
    const toolCallId = this.calls.give(runId, payload);
    if (by === null) return toolCallId;
    this.said.push({ type: EventType.TOOL_CALL_START, toolCallId, toolCallName: payload.tool, ...by });
    const { params } = payload;
    if (params !== undefined) {
      const delta = typeof params === "string" ? params : JSON.stringify(params);
      if (delta !== "") this.said.push({ type: EventType.TOOL_CALL_ARGS, toolCallId, delta, ...by });
    }
    this.said.push({ type: EventType.TOOL_CALL_END, toolCallId, ...by });
    return toolCallId;
  }

  private endCall(event: Extract<KnownEvent, { type: "call.succeeded" | "call.failed" }>): void {
    const { payload, run_id } = event;
    const by = this.enter(run_id);
    if (by === null) return;
    const toolCallId = this.calls.find(run_id, payload) ?? this.startCall(run_id, payload);
    const { output = null, error } = payload;
    const text = typeof output === "string" ? output : JSON.stringify(output);
    this.said.push({
      type: EventType.TOOL_CALL_RESULT,
      messageId: event.id,
      toolCallId,
      content: event.type === "call.failed" ? (error?.message ?? "") : text,
      ...(event.type === "call.failed" && { metadata: { error: error ?? { code: "error", message: "" } } }),
      ...by,
    });
  }

  private write(event: Extract<KnownEvent, { type: "state.written" }>): void {
    const { path, value, instance } = event.payload;
    if (this.enter(event.run_id) === null || !this.open) return;
    const target = parsePath(path);
    if (this.open.id !== event.run_id || instance || !target.ok) return this.custom(event);
    const before = this.open.state;
    const delta = patchOf(before, target.value.path, value);
    this.open.state = withValue(before, target.value.path, value);
    // Libraries refuse to patch what may be a prototype.
    const isPlain = !delta.some((operation) => /\/(__proto__|constructor)(\/|$)/.test(operation.path));
    if (this.open.hasState && isPlain) this.said.push({ type: EventType.STATE_DELTA, delta });
    else this.said.push({ type: EventType.STATE_SNAPSHOT, snapshot: this.open.state });
    this.open.hasState = true;
  }

  private ask(payload: Payload<"confirmation.requested">, runId: string | null): void {
    this.enter(runId);
    const { confirmation_id: id, reason, description, call_id, iteration, instance } = payload;
    const toolCallId = call_id === undefined ? undefined : this.calls.find(runId, { call_id, iteration, instance });
    this.open?.asked.set(id, {
      id,
      reason: reason ?? "confirmation",
      ...(description !== undefined && { message: description }),
      ...(toolCallId !== undefined && { toolCallId }),
    });
  }

  private waiting(event: Extract<KnownEvent, { type: "run.waiting" }>) {
    const asked = [...(this.open?.asked.values() ?? [])];
    const { reason } = event.payload;
    const waits = { id: event.id, reason: reason ?? "waiting" };
    return { type: "interrupt" as const, interrupts: asked.length > 0 ? asked : [waits] };
  }

  private end(
    event: Extract<KnownEvent, { type: "run.finished" | "run.cancelled" | "run.waiting" }>,
    outcome: Outcome,
  ): void {
    if (event.type !== "run.waiting" && event.run_id === this.only) this.isOver = true;
    // A run that waited was ended in AG-UI, or never started.
    if (!this.open) return;
    const { output } = event.payload;
    const result = output === undefined || event.type === "run.waiting" ? {} : { result: output };
    if (this.open.id === event.run_id) return this.close(outcome, result);
    if (!this.open.subagents.delete(event.run_id ?? "")) return;
    const subagentRunId = event.run_id ?? "";
    const isPaused = outcome.type === "interrupt";
    this.said.push({
      ...{ type: EventType.SUBAGENT_FINISHED, subagentRunId, ...result },
      ...(isPaused && { outcome: { type: "suspended" } }),
    });
  }

  /** Ends the open run and everything open in it. */
  private close(outcome: Outcome, result: { result?: Json } = {}): void {
    const { open } = this;
    if (!open) return;
    this.closeInside(open);
    this.said.push({ type: EventType.RUN_FINISHED, threadId: this.threadId, runId: open.name, outcome, ...result });
    if (this.state !== null) this.state = open.state;
    this.open = null;
  }

  private closeInside({ steps, subagents }: OpenRun): void {
    for (const stepName of steps) this.said.push({ type: EventType.STEP_FINISHED, stepName });
    for (const subagentRunId of [...subagents].reverse())
      this.said.push({ type: EventType.SUBAGENT_FINISHED, subagentRunId, outcome: { type: "suspended" } });
  }

  private fail({ run_id, payload }: Extract<KnownEvent, { type: "run.failed" }>): void {
    if (run_id === this.only) this.isOver = true;
    const by = this.enter(run_id);
    if (by === null) return;
    const { error } = payload;
    const message = typeof error === "string" ? error : (error?.message ?? payload.reason ?? "The run failed");
    const code = typeof error === "object" ? { code: error.code } : {};
    if (by.subagentRunId !== undefined) {
      this.open?.subagents.delete(by.subagentRunId);
      this.said.push({ type: EventType.SUBAGENT_ERROR, subagentRunId: by.subagentRunId, message, ...code });
      return;
    }
    if (this.open) this.closeInside(this.open);
    this.said.push({ type: EventType.RUN_ERROR, message, ...code });
    this.open = null;
  }

  /** An event that came as AG-UI is emitted unchanged, if it is still valid. */
  private log(event: Extract<KnownEvent, { type: "log" }>): void {
    const { payload, run_id } = event;
    const kept = isJsonObject(payload) && isJsonObject(payload.ag_ui) ? payload.ag_ui : null;
    if (!kept || !isJsonObject(payload)) return this.custom(event);
    const by = this.enter(run_id);
    if (by === null) return;
    if (kept.type === "REASONING_MESSAGE") {
      this.said.push(...reasoningOf(String(kept.messageId), String(payload.text), by));
      return;
    }
    const parsed = EventSchemas.safeParse({ ...kept, ...by });
    if (!parsed.success || !(this.open && fits(parsed.data, this.open.steps))) return this.custom(event);
    this.said.push(parsed.data);
  }

  private custom({ type, run_id, payload }: Pick<SessionEvent, "type" | "run_id" | "payload">): void {
    const by = this.enter(run_id);
    if (by !== null) this.said.push({ type: EventType.CUSTOM, name: `obelus.${type}`, value: payload, ...by });
  }
}
