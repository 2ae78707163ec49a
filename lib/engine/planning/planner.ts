import { isJsonObject } from "../../session/json/json.ts";
import type { Model, ModelAnswer, ModelRequest } from "../model.ts";
import type { RegisteredTool } from "../tools/tools.ts";
import { readAnswer, unwrapped, withoutAbsent } from "./answer-json.ts";
import { readNativeCall } from "./native-calls.ts";
import type { Planner, ProducedOutput } from "./port.ts";
import { readCall, readSolution } from "./read-solution.ts";
import { outputRequest, outputSchemaOf, solutionRequest } from "./request.ts";
import { CallStream } from "./stream-calls.ts";

/** A planner that asks this model. */
export function createPlanner(model: Model): Planner {
  return {
    model: model.model,
    provider: model.provider,
    stateless: model.stateless ?? false,
    async propose(input, { onRequest, onCall, onText, signal }) {
      const request = solutionRequest(input);
      await onRequest?.(request);
      const stream = new CallStream();
      const answer = await ask(model, request, signal, {
        text: (piece) => {
          onText?.(piece);
          for (const call of stream.feed(piece)) onCall?.(readCall(call, input.tools));
        },
        call: (native) => {
          const read = readNativeCall(native, input.tools);
          if (read.ok) onCall?.(readCall(read.call, input.tools));
        },
      });
      return { ...readSolution(answer, input), request, answer };
    },
    async produceOutput(question, { onRequest, signal }) {
      const request = outputRequest(question);
      await onRequest?.(request);
      const answer = await ask(model, request, signal);
      return { produced: readResult(answer, question.tool), request, answer };
    },
  };
}

/** What is done with an answer's parts as they come. */
interface Listener {
  text(piece: string): void;
  call(native: ModelAnswer["calls"][number]): void;
}

async function ask(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
  listener?: Listener,
): Promise<ModelAnswer> {
  for await (const part of model.respond(request, signal)) {
    switch (part.type) {
      case "text":
        listener?.text(part.delta);
        break;
      case "call":
        listener?.call({ call_id: part.call_id, name: part.name, arguments: part.arguments });
        break;
      case "done":
        return part.answer;
      default:
        part satisfies never;
    }
  }
  throw new Error(`The model ${model.model} ended its answer without an end event`);
}

/** Reads the result of a latent tool from the answer (P2a). */
export function readResult({ text }: ModelAnswer, tool: RegisteredTool): ProducedOutput["produced"] {
  const read = readAnswer(text);
  if (read.ok && isJsonObject(read.value) && read.value.result !== undefined) {
    const result = unwrapped(read.value.result);
    return { ok: true, output: withoutAbsent(result, outputSchemaOf(tool), tool.schema) };
  }
  const reason = read.ok ? "it has no result" : read.reason;
  const message = `The model's answer is not the JSON object {"result": ...}: ${reason}`;
  return { ok: false, error: { code: "malformed_answer", message } };
}
