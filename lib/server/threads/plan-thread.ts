import { parentPort } from "node:worker_threads";
import { InvalidInput, InvalidPlan } from "../../engine/errors.ts";
import { createSchemaChecker } from "../../engine/json-schema.ts";
import { PLAN_READINGS, type PlanMaterial, simulatedText } from "../../engine/plan-reading.ts";
import type { SentPlan } from "../../engine/plan-threads.ts";
import { toolboxOf } from "../../engine/tools/tool-shapes.ts";
import { collectWhenIdle } from "../../event-loop/idle-collection.ts";
import type { JsonObject } from "../../session/json/json.ts";
import type { PlanOrder, PlanReply } from "./plan-threads.ts";

// The entry of a thread that validates and simulates plans, one at a time.
if (!parentPort) throw new Error("plan-thread.ts runs as a worker thread");
const port = parentPort;
collectWhenIdle(1_000);

/** The time limit for expensive schemas of a plan, where nobody else waits for them, ms. */
const SCHEMAS_LIMIT_MS = 2_000;
/** Parts of a simulation are sent in chunks of about this many characters. */
const CHUNK_LENGTH = 64 * 1024;

let calls: JsonObject[] = [];
let pieces: Generator<string> | null = null;

port.on("message", (order: PlanOrder) => {
  if (order.act === "calls") for (const call of order.calls) calls.push(call);
  else port.postMessage(reply(order));
});

function reply(order: Exclude<PlanOrder, { act: "calls" }>): PlanReply<unknown> {
  try {
    return { is: "done", result: resultOf(order) };
  } catch (error) {
    if (error instanceof InvalidPlan) return { is: "invalid_plan", problems: error.problems };
    if (error instanceof InvalidInput) return { is: "invalid_input", message: error.message, faults: error.faults };
    return { is: "broken", error };
  }
}

function resultOf(order: Exclude<PlanOrder, { act: "calls" }>): unknown {
  switch (order.act) {
    case "read":
      return PLAN_READINGS[order.question](materialOf(order.plan));
    case "simulate":
      pieces = simulatedText(materialOf(order.plan), order.branches);
      return nextChunk(pieces);
    case "next":
      return pieces && nextChunk(pieces);
    default:
      return order satisfies never;
  }
}

/** A new checker each time: what it compiles is keyed by objects that do not come again. */
function materialOf({ shapes, plan: last, ...read }: SentPlan): PlanMaterial {
  const plan = [...calls, ...last];
  calls = [];
  return { ...read, plan, toolbox: toolboxOf(shapes), checker: createSchemaChecker(SCHEMAS_LIMIT_MS) };
}

/** Null at the end. */
function nextChunk(from: Generator<string>): string | null {
  let chunk = "";
  while (chunk.length < CHUNK_LENGTH) {
    const next = from.next();
    if (next.done) break;
    chunk += next.value;
  }
  return chunk === "" ? null : chunk;
}
