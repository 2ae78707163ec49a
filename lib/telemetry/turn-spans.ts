import { isKnown, type KnownEvent, type SessionEvent } from "../session/event.ts";
import { contentOf } from "./content.ts";
import type { PlannedSpan } from "./planned-span.ts";

/** A span that has not ended. */
type OpenSpan = Omit<PlannedSpan, "end">;

type Of<T extends KnownEvent["type"]> = Extract<KnownEvent, { type: T }>;

/**
 * The spans of a turn by OpenTelemetry's conventions for generative AI: the run and those of its delegates, each
 * request to a model, each attempt of a call. With `content` of messages, requests and answers. Source:
 * https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-agent-spans/
 */
export function spansOfTurn(events: readonly SessionEvent[], { content }: { content: boolean }): PlannedSpan[] {
  const turn = new Turn(content);
  for (const event of events) if (isKnown(event)) turn.take(event);
  return turn.end();
}

class Turn {
  readonly #content: boolean;
  readonly #begun: string[] = [];
  readonly #spans = new Map<string, PlannedSpan>();
  /** Open spans by key: a run, a run's request to a model, a call. */
  readonly #open = new Map<string, OpenSpan>();
  /** Spans of runs by run id. */
  readonly #runs = new Map<string, OpenSpan>();
  readonly #prompts = new Map<string, Of<"prompt.rendered">["payload"]>();
  /** Ended spans by the same keys. A call's writes are recorded after its end. */
  readonly #ended = new Map<string, PlannedSpan>();
  #latest = 0;
  /** The time of the current event. */
  #now = 0;
  /** The millisecond of the previous event, and the number of earlier events in it. */
  #millisecond = 0;
  #before = 0;

  constructor(content: boolean) {
    this.#content = content;
  }

  take(event: KnownEvent): void {
    this.#now = this.#timeOf(event);
    this.#latest = Math.max(this.#latest, this.#now);
    switch (event.type) {
      case "run.started":
        return this.#beginRun(event);
      case "run.finished":
      case "run.failed":
      case "run.cancelled":
        return this.#endRun(event);
      case "prompt.rendered":
        this.#prompts.set(event.id, event.payload);
        return;
      case "model.requested":
        return this.#beginRequest(event);
      case "model.responded":
      case "model.failed":
        return this.#endRequest(event);
      case "call.started":
        return this.#beginCall(event);
      case "call.succeeded":
      case "call.failed":
      case "call.retried":
      case "call.superseded":
      case "call.cancelled":
      case "call.denied":
        return this.#endCall(event);
      case "state.written":
        return this.#noteWrite(event);
      default:
        return;
    }
  }

  /** All spans, each after its parent. Open ones end with the turn. */
  end(): PlannedSpan[] {
    for (const place of [...this.#open.keys()]) this.#close(place, this.#latest, "interrupted");
    return this.#begun.flatMap((key) => this.#spans.get(key) ?? []);
  }

  /**
   * The log has milliseconds. Events in the same one are a microsecond apart, as their order is not known otherwise.
   */
  #timeOf({ occurred_at, recorded_at }: KnownEvent): number {
    const millisecond = Date.parse(occurred_at ?? recorded_at);
    this.#before = millisecond === this.#millisecond ? Math.min(this.#before + 1, 999) : 0;
    this.#millisecond = millisecond;
    return millisecond + this.#before / 1_000;
  }

  #beginRun(event: Of<"run.started">): void {
    const { id, run_id, agent_id, caused_by, conversation_id, payload } = event;
    if (run_id === null || this.#runs.has(run_id)) return;
    const name = payload.delegate ?? agent_id;
    const parent = event.parent_run_id === null ? null : (this.#runs.get(event.parent_run_id)?.key ?? null);
    const span: OpenSpan = {
      key: id,
      // A delegate executes a call of its parent run.
      parent: parent === null ? null : (this.#callStartedBy(caused_by) ?? parent),
      name: name === null ? "invoke_agent" : `invoke_agent ${name}`,
      kind: "internal",
      start: this.#now,
      attributes: {
        "gen_ai.operation.name": "invoke_agent",
        ...(name !== null && { "gen_ai.agent.name": name }),
        ...(agent_id !== null && { "gen_ai.agent.id": agent_id }),
        ...(payload.agent_version !== undefined && { "gen_ai.agent.version": payload.agent_version }),
        ...(conversation_id !== null && { "gen_ai.conversation.id": conversation_id }),
        "obelus.run.id": run_id,
        ...this.#contentOf(event),
      },
      error: null,
    };
    this.#runs.set(run_id, span);
    this.#begin(runPlace(run_id), span);
  }

  #endRun(event: Of<"run.finished" | "run.failed" | "run.cancelled">): void {
    const place = runPlace(event.run_id ?? "");
    const open = this.#open.get(place);
    if (!open) return;
    Object.assign(open.attributes, this.#contentOf(event));
    // What was open in it has ended, too.
    for (const other of [...this.#open.keys()]) {
      if (other !== place && other.startsWith(`${place} `)) this.#close(other, this.#now, "interrupted");
    }
    if (event.type === "run.cancelled") open.attributes["error.type"] = "cancelled";
    if (event.type !== "run.failed") return this.#close(place, this.#now, null);
    this.#fail(place, this.#now, event.payload.error);
  }

  #beginRequest(event: Of<"model.requested">): void {
    const { id, run_id, caused_by, conversation_id, payload } = event;
    const prompt = this.#prompts.get(caused_by ?? "");
    const run = this.#runs.get(run_id ?? "");
    if (run) run.attributes["gen_ai.provider.name"] ??= payload.provider;
    // The result of a latent tool's call is requested from a model.
    const asker = prompt?.call_id === undefined ? null : placeOfCall(run_id, { ...prompt, call_id: prompt.call_id });
    const call = asker === null ? undefined : this.#open.get(asker);
    const parent = call?.key ?? run?.key ?? null;
    this.#begin(requestPlace(run_id, id), {
      ...{ key: id, parent, name: `chat ${payload.model}`, kind: "client", start: this.#now },
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": payload.provider,
        "gen_ai.request.model": payload.model,
        ...(conversation_id !== null && { "gen_ai.conversation.id": conversation_id }),
        ...this.#contentOf(event, prompt?.prompt),
      },
      error: null,
    });
  }

  #endRequest(event: Of<"model.responded" | "model.failed">): void {
    const { run_id, caused_by, payload } = event;
    const place = requestPlace(run_id, caused_by ?? "");
    const open = this.#open.get(place);
    if (!open) return;
    const { model, response_id, input_tokens, output_tokens, finish_reason } = payload;
    Object.assign(open.attributes, {
      ...(event.type === "model.responded" && { "gen_ai.response.model": model }),
      ...(response_id !== undefined && { "gen_ai.response.id": response_id }),
      ...(input_tokens !== undefined && { "gen_ai.usage.input_tokens": input_tokens }),
      ...(output_tokens !== undefined && { "gen_ai.usage.output_tokens": output_tokens }),
      ...(finish_reason !== undefined && { "gen_ai.response.finish_reasons": [finish_reason] }),
      ...this.#contentOf(event),
    });
    if (event.type === "model.responded") this.#close(place, this.#now, null);
    else this.#fail(place, this.#now, payload.error);
  }

  #beginCall(event: Of<"call.started">): void {
    const { id, run_id, conversation_id, payload } = event;
    const place = callPlace(event);
    this.#close(place, this.#now, "interrupted");
    this.#begin(place, {
      ...{ key: id, parent: this.#runs.get(run_id ?? "")?.key ?? null, kind: "internal", start: this.#now },
      name: `execute_tool ${payload.tool}`,
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": payload.tool,
        "gen_ai.tool.call.id": payload.call_id,
        "gen_ai.tool.type": "function",
        ...(conversation_id !== null && { "gen_ai.conversation.id": conversation_id }),
        ...this.#contentOf(event),
      },
      error: null,
    });
  }

  #endCall(event: CallEnd): void {
    const place = callPlace(event);
    const open = this.#open.get(place);
    if (!open) return;
    Object.assign(open.attributes, this.#contentOf(event));
    const { error } = event.payload;
    if (event.type === "call.cancelled" || event.type === "call.denied")
      open.attributes["error.type"] = event.type === "call.cancelled" ? "cancelled" : "denied";
    if (error) this.#fail(place, this.#now, error);
    else this.#close(place, this.#now, null);
  }

  /** Adds the written state paths to a call's span, from which edges can be drawn. */
  #noteWrite({ caused_by, payload, run_id }: Of<"state.written">): void {
    if (payload.call_id === undefined || caused_by === null) return;
    const { call_id, iteration, instance } = payload;
    const span = this.#ended.get(placeOfCall(run_id, { call_id, iteration, instance }));
    if (span) span.attributes["obelus.output_path"] ??= payload.path;
  }

  #contentOf(event: KnownEvent, prompt?: string): Record<string, string> {
    return this.#content ? contentOf(event, prompt) : {};
  }

  #callStartedBy(eventId: string | null): string | null {
    for (const { key } of this.#open.values()) if (key === eventId) return key;
    return null;
  }

  #begin(place: string, span: OpenSpan): void {
    this.#begun.push(span.key);
    this.#open.set(place, span);
  }

  #fail(place: string, at: number, error: { code: string; message: string } | string | undefined): void {
    const { code, message } = typeof error === "object" ? error : { code: "failed", message: error ?? "It failed" };
    this.#close(place, at, message, code);
  }

  #close(place: string, at: number, error: string | null, code = "interrupted"): void {
    const open = this.#open.get(place);
    if (!open) return;
    this.#open.delete(place);
    // Attributes are mutated: a run's provider is known later.
    const span: PlannedSpan = { ...open, end: Math.max(at, open.start), error };
    if (error !== null) span.attributes["error.type"] = code;
    this.#spans.set(span.key, span);
    this.#ended.set(place, span);
  }
}

type CallEnd = Of<
  "call.succeeded" | "call.failed" | "call.retried" | "call.superseded" | "call.cancelled" | "call.denied"
>;

function runPlace(runId: string): string {
  return `run ${runId}`;
}

/** Several calls may have requests at once. */
function requestPlace(runId: string | null, eventId: string): string {
  return `${runPlace(runId ?? "")} request ${eventId}`;
}

function callPlace({ run_id, payload }: Of<"call.started"> | CallEnd): string {
  return placeOfCall(run_id, payload);
}

function placeOfCall(
  runId: string | null,
  { call_id, iteration, instance }: { call_id: string; iteration?: number; instance?: string },
): string {
  return `${runPlace(runId ?? "")} call ${JSON.stringify([iteration ?? null, instance ?? "", call_id])}`;
}
