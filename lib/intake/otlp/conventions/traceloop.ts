import { isJsonObject, type Json } from "../../../session/json/json.ts";
import type { Attributes } from "../attributes.ts";
import { type Doing, type Span, toolDoing } from "../span.ts";
import { messagesOf } from "./messages.ts";

/** Traceloop's decorators (OpenLLMetry). Its requests for models have no kind of theirs: those are told as `gen_ai.*`. */
export function traceloopDoing(span: Span, attributes: Attributes): Doing | null {
  const input = () => attributes.json("traceloop.entity.input");
  const output = () => attributes.json("traceloop.entity.output");
  switch (attributes.text("traceloop.span.kind")) {
    case null:
      return null;
    case "agent":
      return {
        kind: "agent",
        instructions: null,
        input: messagesOf(given(input()), "user"),
        output: messagesOf(output(), "assistant"),
      };
    case "workflow":
    case "task":
      return { kind: "workflow", input: input() ?? null, output: output() ?? null };
    case "tool":
      return toolDoing({
        tool: attributes.text("traceloop.entity.name") ?? span.name.replace(/\.tool$/u, ""),
        arguments: given(input()) ?? null,
        result: output() ?? null,
      });
    default:
      return { kind: "other" };
  }
}

/** What was handed over, without its wrapping: named arguments where there are some, the only one where it is alone. */
function given(input: Json | undefined): Json | undefined {
  if (!isJsonObject(input)) return input;
  const { args, kwargs, inputs } = input;
  if (isJsonObject(kwargs) && Object.keys(kwargs).length > 0) return kwargs;
  if (Array.isArray(args) && args.length > 0) return args.length === 1 ? args[0] : args;
  return inputs ?? input;
}
