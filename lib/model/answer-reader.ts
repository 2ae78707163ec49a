import { z } from "zod";
import { type ModelAnswer, ModelError, type ModelPart } from "../engine/model.ts";
import type { JsonObject } from "../session/json/json.ts";
import { jsonObject } from "../session/json/json-schema.ts";
import { type Asked, cutStream, malformedStream, reportedFailure, tooMuch } from "./failure.ts";
import { LONGEST_OUTPUT, LONGEST_TEXT, type Reader } from "./wire.ts";

/** Output items are kept unchanged, so that they can be sent back. */
const item = jsonObject;
const functionCall = z.object({
  type: z.literal("function_call"),
  call_id: z.string(),
  name: z.string(),
  arguments: z.string(),
});
const message = z.object({
  type: z.literal("message"),
  content: z.array(z.object({ type: z.string(), text: z.string().optional(), refusal: z.string().optional() })),
});
const response = z.object({
  id: z.string(),
  output: z.array(item).default([]),
  usage: z.object({ input_tokens: z.int().min(0), output_tokens: z.int().min(0) }).nullish(),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
  error: z.object({ code: z.string().nullish(), message: z.string().default("no reason given") }).nullish(),
});

/** The events that are used; a stream has many more, which repeat their content. */
const event = z.discriminatedUnion("type", [
  z.object({ type: z.literal("response.output_text.delta"), delta: z.string() }),
  z.object({ type: z.literal("response.output_item.done"), item }),
  z.object({ type: z.literal("response.completed"), response }),
  z.object({ type: z.literal("response.incomplete"), response }),
  z.object({ type: z.literal("response.failed"), response }),
  z.object({ type: z.literal("error"), code: z.string().nullish(), message: z.string().default("no reason given") }),
]);
type Event = z.infer<typeof event>;
const KNOWN = new Set<string>(event.options.flatMap((option) => [...option.shape.type.values]));
const anyEvent = z.looseObject({ type: z.string() });

/** Reads the events of the Responses API. */
export class AnswerReader implements Reader {
  private readonly asked: Asked;
  private readonly items: JsonObject[] = [];
  private readonly calls: ModelAnswer["calls"] = [];
  private text = "";

  constructor(asked: Asked) {
    this.asked = asked;
  }

  /** The parts of an event; the last one is `done`. Throws a `ModelError` for failures and invalid events. */
  read(received: unknown): ModelPart[] {
    const any = anyEvent.safeParse(received);
    if (!any.success) throw this.malformed(any.error);
    if (!KNOWN.has(any.data.type)) return [];
    const known = event.safeParse(received);
    if (!known.success) throw this.malformed(known.error);
    return this.readKnown(known.data);
  }

  end(): ModelPart[] {
    throw cutStream(this.asked);
  }

  private readKnown(received: Event): ModelPart[] {
    switch (received.type) {
      case "response.output_text.delta":
        if (this.text.length + received.delta.length > LONGEST_TEXT) throw tooMuch(this.asked);
        this.text += received.delta;
        return [{ type: "text", delta: received.delta }];
      case "response.output_item.done":
        this.items.push(received.item);
        this.refuseLong(this.items);
        return this.callIn(received.item);
      case "response.completed":
      case "response.incomplete":
        return this.complete(received.response);
      case "response.failed":
        throw reportedFailure(
          received.response.error?.code,
          received.response.error?.message ?? "no reason given",
          this.asked,
        );
      case "error":
        throw reportedFailure(received.code, received.message, this.asked);
      default:
        return received satisfies never;
    }
  }

  /** Some servers send items only here, others only one by one. */
  private complete({ id, output, usage, incomplete_details }: z.infer<typeof response>): ModelPart[] {
    const items = output.length > 0 ? output : this.items;
    this.refuseLong(items);
    const parts = items.flatMap((each) => this.callIn(each));
    const { text, refusal } = this.wordsOf(items);
    if (refusal !== "") throw new ModelError("refused", `${this.asked.model} refuses to answer: ${refusal}`);
    if (this.text === "" && text !== "") {
      this.text = text;
      parts.push({ type: "text", delta: text });
    }
    const answer = {
      response_id: id,
      text: this.text,
      calls: this.calls,
      output: items,
      input_tokens: usage?.input_tokens ?? 0,
      output_tokens: usage?.output_tokens ?? 0,
      finish_reason: this.reason(incomplete_details?.reason ?? null),
    };
    return [...parts, { type: "done", answer }];
  }

  /** Names of the OpenTelemetry GenAI conventions where they exist. */
  private reason(incomplete: string | null): string {
    if (incomplete === "max_output_tokens") return "length";
    return incomplete ?? (this.calls.length > 0 ? "tool_calls" : "stop");
  }

  /** The function call of an item, unless it was emitted before. */
  private callIn(candidate: JsonObject): ModelPart[] {
    if (candidate.type !== "function_call") return [];
    const parsed = functionCall.safeParse(candidate);
    if (!parsed.success) throw this.malformed(parsed.error);
    const { type: _, ...call } = parsed.data;
    if (this.calls.some(({ call_id }) => call_id === call.call_id)) return [];
    this.calls.push(call);
    return [{ type: "call", ...call }];
  }

  private refuseLong(items: readonly JsonObject[]): void {
    if (JSON.stringify(items).length > LONGEST_OUTPUT) throw tooMuch(this.asked);
  }

  private wordsOf(items: readonly JsonObject[]): { text: string; refusal: string } {
    const parts = items.flatMap((each) => message.safeParse(each).data?.content ?? []);
    return {
      text: parts.map((part) => part.text ?? "").join(""),
      refusal: parts.map((part) => part.refusal ?? "").join(""),
    };
  }

  private malformed(cause: unknown): ModelError {
    return malformedStream(this.asked, cause);
  }
}
