import { z } from "zod";
import { type ModelAnswer, ModelError, type ModelPart } from "../engine/model.ts";
import type { JsonObject } from "../session/json/json.ts";
import { type Asked, cutStream, malformedStream, tooMuch } from "./failure.ts";
import { LONGEST_OUTPUT, LONGEST_TEXT, type Reader } from "./wire.ts";

/** Part of a call; a call begins with its name, and its arguments follow. */
const toolCall = z.object({
  index: z.int().min(0).nullish(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }),
});
const chunk = z.object({
  id: z.string().nullish(),
  // The last chunk has none: it is the usage.
  choices: z.array(
    z.object({
      delta: z
        .object({
          content: z.string().nullish(),
          refusal: z.string().nullish(),
          tool_calls: z.array(toolCall).nullish(),
        })
        .nullish(),
      finish_reason: z.string().nullish(),
    }),
  ),
  usage: z.object({ prompt_tokens: z.int().min(0), completion_tokens: z.int().min(0) }).nullish(),
});
type Usage = NonNullable<z.infer<typeof chunk>["usage"]>;
type Call = ModelAnswer["calls"][number];

/** Reads the chunks of chat completions. */
export class ChatReader implements Reader {
  private readonly asked: Asked;
  private id = "";
  private text = "";
  private refusal = "";
  private readonly calls: Call[] = [];
  /** The last of the calls is still streamed, under this index; null: none is. */
  private open: number | null = null;
  private size = 0;
  private finished: string | null = null;
  private usage: Usage | null = null;

  constructor(asked: Asked) {
    this.asked = asked;
  }

  read(received: unknown): ModelPart[] {
    const parsed = chunk.safeParse(received);
    if (!parsed.success) throw malformedStream(this.asked, parsed.error);
    const { id, choices, usage } = parsed.data;
    this.id ||= id ?? "";
    this.usage = usage ?? this.usage;
    const parts: ModelPart[] = [];
    for (const { delta, finish_reason } of choices) {
      this.refusal += delta?.refusal ?? "";
      const words = delta?.content ?? "";
      if (words !== "") parts.push(this.addText(words));
      for (const part of delta?.tool_calls ?? []) parts.push(...this.addToCall(part));
      if (finish_reason != null) {
        parts.push(...this.closeCall());
        this.finished = finish_reason;
      }
    }
    // The usage comes with or after the last choice. Servers that send none end the stream.
    return this.finished !== null && this.usage !== null ? [...parts, ...this.end()] : parts;
  }

  end(): ModelPart[] {
    if (this.finished === null) throw cutStream(this.asked);
    if (this.refusal !== "") throw new ModelError("refused", `${this.asked.model} refuses to answer: ${this.refusal}`);
    const { id, text, calls, usage } = this;
    const answer: ModelAnswer = {
      response_id: id,
      ...{ text, calls, output: outputOf(text, calls) },
      input_tokens: usage?.prompt_tokens ?? 0,
      output_tokens: usage?.completion_tokens ?? 0,
      // Some servers say `stop` beside calls.
      finish_reason: this.finished === "stop" && calls.length > 0 ? "tool_calls" : this.finished,
    };
    return [{ type: "done", answer }];
  }

  private addText(delta: string): ModelPart {
    if (this.text.length + delta.length > LONGEST_TEXT) throw tooMuch(this.asked);
    this.text += delta;
    return { type: "text", delta };
  }

  private addToCall({ index, id, function: { name, arguments: written } }: z.infer<typeof toolCall>): ModelPart[] {
    const current = this.open === null ? undefined : this.calls.at(-1);
    const continues = current !== undefined && (index ?? this.open) === this.open && (!id || id === current.call_id);
    this.size += (name?.length ?? 0) + (written?.length ?? 0);
    if (this.size > LONGEST_OUTPUT) throw tooMuch(this.asked);
    if (continues) {
      current.name ||= name ?? "";
      current.arguments += written ?? "";
      return [];
    }
    const closed = this.closeCall();
    const at = this.calls.length;
    // Some servers give no ids; a result has to name its call.
    this.calls.push({ call_id: id || `${this.id || "call"}_${at}`, name: name ?? "", arguments: written ?? "" });
    this.open = index ?? at;
    return closed;
  }

  private closeCall(): ModelPart[] {
    const call = this.open === null ? undefined : this.calls.at(-1);
    this.open = null;
    if (call === undefined) return [];
    if (call.name === "") throw malformedStream(this.asked, new Error("a call without a name"));
    return [{ type: "call", ...call }];
  }
}

/** The answer as output items of the Responses API. */
function outputOf(text: string, calls: readonly Call[]): JsonObject[] {
  const message = { type: "message", role: "assistant", content: [{ type: "output_text", text }] };
  return [...(text === "" ? [] : [message]), ...calls.map((call) => ({ type: "function_call", ...call }))];
}
