import type { PlanCall } from "../../lib/plan/call.ts";
import { overlaps } from "../../lib/plan/overlap.ts";
import { type Expression, parseText, type Reference } from "../../lib/plan/reference.ts";
import { isJsonObject, type Json, type JsonObject } from "../../lib/session/json/json.ts";
import type { Draft } from "./recording.ts";
import type { Outcome } from "./scene.ts";
import type { Scratchpad } from "./scratchpad.ts";

/** A simulated call of one instance. */
export interface PlayedCall {
  call: PlanCall;
  instance: string;
  outcome: Outcome;
  pad: Scratchpad;
  /** `broken` ended without a result for others. */
  status: "planned" | "busy" | "parked" | "ended" | "broken";
  /** Its newest event. */
  last: Draft | null;
}

/** The value of an expression, or that it is pending or will never be written. */
export type Reading = { value: Json } | "pending" | "never";

/** Evaluates an expression for a call (P4–P6). */
export function read(expression: Expression, reader: PlayedCall, calls: readonly PlayedCall[]): Reading {
  for (const gate of expression) {
    const values = gate.map((reference) => readOne(reference, reader, calls));
    if (values.includes("never")) continue;
    return values.includes("pending") ? "pending" : (values.at(-1) ?? "never");
  }
  return "never";
}

/** A call's parameters with resolved references. */
export function resolvedParams(reader: PlayedCall, calls: readonly PlayedCall[]): JsonObject {
  const resolve = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(resolve);
    if (isJsonObject(value)) return resolveEntries(value);
    const text = typeof value === "string" ? parseText(value) : null;
    if (!text?.ok || text.value.kind !== "expression") return value;
    const reading = read(text.value.expression, reader, calls);
    return typeof reading === "string" ? null : reading.value;
  };
  const resolveEntries = (object: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(object).map(([key, child]) => [key, resolve(child)]));
  return resolveEntries(reader.call.parameters);
}

/** The calls of the same instance that may write one of the references. */
export function writersOf(
  references: readonly Reference[],
  reader: PlayedCall,
  calls: readonly PlayedCall[],
): PlayedCall[] {
  return calls.filter(
    ({ call, instance }) =>
      call !== reader.call &&
      instance === reader.instance &&
      (call.output ?? []).flat().some((target) => references.some((reference) => overlaps(target, reference))),
  );
}

function readOne(reference: Reference, reader: PlayedCall, calls: readonly PlayedCall[]): Reading {
  const open = writersOf([reference], reader, calls).some(({ status }) => status !== "ended" && status !== "broken");
  if (open) return "pending";
  const value = reader.pad.read(reference);
  return value === undefined ? "never" : { value };
}
