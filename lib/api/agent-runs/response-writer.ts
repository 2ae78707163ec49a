import { wholeText } from "../../intake/ag-ui/print-turn.ts";
import { isKnown, type KnownEvent, type SessionEvent } from "../../session/event.ts";
import type { Json, JsonObject } from "../../session/json/json.ts";
import type { RunWriter } from "../stream/follow-run.ts";

/** What a response repeats of its request. */
export interface Asked {
  id: string;
  /** Seconds since 1970. */
  createdAt: number;
  agentId: string;
  conversationId: string;
  runId: string;
  /** Names of tools that the caller carries out. */
  tools: ReadonlySet<string>;
  echoed: JsonObject;
}

interface OpenMessage {
  of: object | null;
  index: number;
  text: string;
}

type Ending =
  | { status: "completed" }
  | { status: "incomplete"; reason: string }
  | { status: "failed"; error: { code: string; message: string } };

/**
 * Writes a run, or a part of one between two waits for its caller, as a response of the Responses API: its events, and the
 * whole. Calls that the server carries out are the agent's own matter, and are not in it.
 */
export class ResponseWriter implements RunWriter {
  readonly #asked: Asked;
  readonly #output: JsonObject[] = [];
  readonly #awaited = new Set<string>();
  readonly #family: Set<string>;
  #open: OpenMessage | null = null;
  #pending = 0;
  #sequence = 0;
  #ending: Ending | null = null;
  #tokens = { input: 0, output: 0 };
  #frames = "";

  constructor(asked: Asked) {
    this.#asked = asked;
    this.#family = new Set([asked.runId]);
  }

  get isOver(): boolean {
    return this.#ending !== null;
  }

  /** Nothing can follow: what a run does after its caller's results is another response. */
  get isCompleted(): boolean {
    return this.#ending?.status === "completed";
  }

  begin(): string {
    this.#emit("response.created", { response: this.response() });
    this.#emit("response.in_progress", { response: this.response() });
    return this.#take();
  }

  event(event: SessionEvent): string {
    if (isKnown(event)) this.#read(event);
    return this.#take();
  }

  draft(draft: { text: string }): string {
    if (this.#open?.of !== draft) {
      this.#closeMessage();
      this.#openMessage(draft);
    }
    this.#write(wholeText(draft.text));
    return this.#take();
  }

  end(): string {
    this.#closeMessage();
    this.#emit(`response.${this.#ending?.status ?? "in_progress"}`, { response: this.response() });
    return this.#take();
  }

  /** The response as far as it was read. */
  response(): JsonObject {
    const { id, createdAt, agentId, conversationId, echoed } = this.#asked;
    const ending = this.#ending;
    const { input, output } = this.#tokens;
    return {
      ...{ id, object: "response", created_at: createdAt, status: ending?.status ?? "in_progress" },
      error: ending?.status === "failed" ? ending.error : null,
      incomplete_details: ending?.status === "incomplete" ? this.#incomplete(ending.reason) : null,
      ...{ model: agentId, conversation: { id: conversationId }, output: [...this.#output] },
      ...{ parallel_tool_calls: true, tool_choice: "auto", temperature: null, top_p: null, store: true },
      ...{ max_output_tokens: null, reasoning: { effort: null, summary: null }, truncation: "disabled" },
      ...{ text: { format: { type: "text" } }, background: false },
      ...{ instructions: null, previous_response_id: null, metadata: {}, user: null, tools: [], ...echoed },
      usage:
        ending === null
          ? null
          : {
              ...{ input_tokens: input, input_tokens_details: { cached_tokens: 0 } },
              ...{ output_tokens: output, output_tokens_details: { reasoning_tokens: 0 } },
              total_tokens: input + output,
            },
    };
  }

  #incomplete(reason: string): JsonObject {
    return this.#awaited.size === 0 ? { reason } : { reason, confirmations: [...this.#awaited] };
  }

  /** Of this run or of its delegates' runs; others of the conversation go on beside it. */
  #isOwn({ run_id, parent_run_id }: KnownEvent): boolean {
    if (run_id === null) return false;
    if (parent_run_id !== null && this.#family.has(parent_run_id)) this.#family.add(run_id);
    return this.#family.has(run_id);
  }

  #read(event: KnownEvent): void {
    if (!this.#isOwn(event)) return;
    const { runId, tools } = this.#asked;
    if (event.type === "model.responded") {
      this.#tokens.input += event.payload.input_tokens ?? 0;
      this.#tokens.output += event.payload.output_tokens ?? 0;
    }
    // Of delegates' runs, only what a person has to approve matters here.
    if (event.type === "confirmation.requested") this.#awaited.add(event.payload.confirmation_id);
    if (event.type === "confirmation.approved" || event.type === "confirmation.denied")
      this.#awaited.delete(event.payload.confirmation_id);
    if (event.run_id !== runId) return;
    switch (event.type) {
      case "message.created":
        if (event.payload.role === "assistant") this.#message(event.payload.content);
        return;
      case "call.started":
        if (tools.has(event.payload.tool)) this.#call(event.payload);
        return;
      case "call.succeeded":
      case "call.failed":
        if (tools.has(event.payload.tool)) this.#pending -= 1;
        return;
      case "run.waiting":
        this.#ending =
          this.#pending > 0 && this.#awaited.size === 0
            ? { status: "completed" }
            : { status: "incomplete", reason: "approval_required" };
        return;
      case "run.resumed":
        // Decided meanwhile: who reads it later gets what came of it.
        if (this.#ending?.status === "incomplete") this.#ending = null;
        return;
      case "run.finished":
        this.#ending = { status: "completed" };
        return;
      case "run.cancelled":
        this.#ending = { status: "incomplete", reason: "cancelled" };
        return;
      case "run.failed": {
        const { error, reason } = event.payload;
        const failed = typeof error === "object" ? error : { code: "run_failed", message: error ?? reason };
        this.#ending = {
          status: "failed",
          error: { code: failed.code, message: failed.message ?? "The run failed" },
        };
        return;
      }
      default:
        // Nothing else of a run is in a response.
        return;
    }
  }

  #message(content: string): void {
    const continues = this.#open !== null && this.#open.text !== "" && content.startsWith(this.#open.text);
    if (!continues) {
      this.#closeMessage();
      this.#openMessage(null);
    }
    this.#write(content);
    this.#closeMessage();
  }

  #openMessage(of: object | null): void {
    const index = this.#output.length;
    this.#open = { of, index, text: "" };
    this.#output.push(this.#messageItem("", "in_progress", index));
    this.#emit("response.output_item.added", {
      output_index: index,
      item: { ...this.#messageItem("", "in_progress", index), content: [] },
    });
    this.#emit("response.content_part.added", { ...this.#place(index), part: textPart("") });
  }

  #write(text: string): void {
    if (!this.#open) return;
    const delta = text.slice(this.#open.text.length);
    this.#open.text = text;
    if (delta === "") return;
    this.#emit("response.output_text.delta", { ...this.#place(this.#open.index), delta, logprobs: [] });
  }

  #closeMessage(): void {
    if (!this.#open) return;
    const { index, text } = this.#open;
    this.#open = null;
    const item = this.#messageItem(text, "completed", index);
    this.#output[index] = item;
    this.#emit("response.output_text.done", { ...this.#place(index), text, logprobs: [] });
    this.#emit("response.content_part.done", { ...this.#place(index), part: textPart(text) });
    this.#emit("response.output_item.done", { output_index: index, item });
  }

  #call({ call_id, tool, params }: { call_id: string; tool: string; params?: Json | undefined }): void {
    this.#closeMessage();
    this.#pending += 1;
    const output_index = this.#output.length;
    const id = `fc_${this.#asked.id}_${output_index}`;
    const item = { id, type: "function_call", status: "completed", call_id, name: tool };
    const written = JSON.stringify(params ?? {});
    this.#emit("response.output_item.added", {
      output_index,
      item: { ...item, status: "in_progress", arguments: "" },
    });
    this.#emit("response.function_call_arguments.delta", { item_id: id, output_index, delta: written });
    this.#emit("response.function_call_arguments.done", { item_id: id, output_index, name: tool, arguments: written });
    this.#output.push({ ...item, arguments: written });
    this.#emit("response.output_item.done", { output_index, item: { ...item, arguments: written } });
  }

  #messageItem(text: string, status: string, index: number): JsonObject {
    return { id: this.#messageId(index), type: "message", role: "assistant", status, content: [textPart(text)] };
  }

  #messageId(index: number): string {
    return `msg_${this.#asked.id}_${index}`;
  }

  #place(index: number): JsonObject {
    return { item_id: this.#messageId(index), output_index: index, content_index: 0 };
  }

  #emit(type: string, data: JsonObject): void {
    this.#frames += `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: this.#sequence, ...data })}\n\n`;
    this.#sequence += 1;
  }

  #take(): string {
    const frames = this.#frames;
    this.#frames = "";
    return frames;
  }
}

function textPart(text: string): JsonObject {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}
