import { META_PROPERTIES } from "../../plan/call.ts";
import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import type { ModelAnswer, Solution } from "../model.ts";
import type { RegisteredTool } from "../tools/tools.ts";
import { JSON_TEXT, readAnswer, unwrapped, withoutAbsent } from "./answer-json.ts";
import { readNativeCall } from "./native-calls.ts";
import type { CallError, ProposeInput } from "./port.ts";

/** A model's answer, read. What could not be read stands in `errors`, which go back to the model (P19). */
export interface ReadSolution {
  solution: Solution;
  errors: CallError[];
}

type Asked = Pick<ProposeInput, "ask" | "tools" | "output_schema">;

/** Reads an answer's words and native calls into the next calls and the output (P19, P19a). */
export function readSolution(answer: ModelAnswer, asked: Asked): ReadSolution {
  const words = readWords(answer, asked);
  const native = answer.calls.map((call) => readNativeCall(call, asked.tools));
  return {
    solution: {
      calls: [
        ...words.solution.calls,
        ...native.flatMap((read) => (read.ok ? [readCall(read.call, asked.tools)] : [])),
      ],
      output: words.solution.output,
    },
    errors: [...words.errors, ...native.flatMap((read) => (read.ok ? [] : [read.error]))],
  };
}

/** A call as the format or a function gave it, as a call of a plan: JSON text read, null left out (P1). */
export function readCall(given: JsonObject, tools: readonly RegisteredTool[]): JsonObject {
  const { [JSON_TEXT]: text, ...rest } = given;
  const further = typeof text === "string" ? unwrapped({ [JSON_TEXT]: text }) : null;
  const call = unwrapped({ ...(isJsonObject(further) ? further : {}), ...rest });
  const schema = tools.find(({ name }) => name === given._tool)?.schema;
  const cleaned = schema === undefined ? call : withoutAbsent(call, schema, schema);
  return Object.fromEntries(
    Object.entries(isJsonObject(cleaned) ? cleaned : {}).filter(([key, value]) => value !== null || !isMeta(key)),
  );
}

function readWords(answer: ModelAnswer, asked: Asked): ReadSolution {
  const { text } = answer;
  if (text.trim() === "" && answer.calls.length > 0) return solution([], undefined);
  const read = readAnswer(text);
  const shape = read.ok ? shapeOf(read.value) : read;
  if (shape.ok) {
    const output = shape.output === undefined ? undefined : unwrapped(shape.output);
    const { output_schema } = asked;
    return solution(
      shape.calls.map((call) => readCall(call, asked.tools)),
      output === undefined || output_schema === null ? output : withoutAbsent(output, output_schema, output_schema),
    );
  }
  if (asked.ask === "plan") return failure(`${shape.reason}${cutHint(answer)}`);
  // Words beside native calls are a remark: the answer comes when their results are there.
  return solution([], answer.calls.length > 0 || text.trim() === "" ? undefined : text);
}

function solution(calls: JsonObject[], output: Json | undefined): ReadSolution {
  return { solution: { calls, output }, errors: [] };
}

function failure(reason: string): ReadSolution {
  const message = `The answer is not the JSON object {"calls": [...], "output": ...}: ${reason}`;
  return { ...solution([], undefined), errors: [{ call: null, error: { code: "malformed_answer", message } }] };
}

function cutHint({ finish_reason }: ModelAnswer): string {
  return finish_reason === "length" ? "; it was too long and was cut off" : "";
}

type Shape = { ok: true; calls: JsonObject[]; output: Json | undefined } | { ok: false; reason: string };

/** `{calls, output}`, either of which may be missing or null, not both missing. */
function shapeOf(value: Json): Shape {
  if (!isJsonObject(value)) return { ok: false, reason: "it is not a JSON object" };
  if (!Object.hasOwn(value, "calls") && !Object.hasOwn(value, "output"))
    return { ok: false, reason: "it has neither calls nor output" };
  const given = value.calls ?? [];
  if (!Array.isArray(given)) return { ok: false, reason: "calls is not an array" };
  const calls = given.filter(isJsonObject);
  if (calls.length < given.length) {
    const index = given.findIndex((call) => !isJsonObject(call));
    return { ok: false, reason: `calls[${index}] is not an object` };
  }
  return { ok: true, calls, output: value.output ?? undefined };
}

function isMeta(key: string): boolean {
  return META_PROPERTIES.some((name) => name === key);
}
