import { readCalls } from "@/lib/plan/call.ts";
import { findWaves } from "@/lib/plan/graph.ts";
import { findLinks } from "@/lib/plan/links.ts";
import type { JsonObject } from "@/lib/session/json/json.ts";
import { boxOf } from "./layout/geometry.ts";
import type { GraphNode, PlanLevel } from "./plan-level.ts";

/** A level of calls for tests, in one run and without delegates. */
export function levelOf(plan: JsonObject[], recorded = false): PlanLevel {
  const calls = readCalls(plan);
  const links = findLinks(calls);
  const waves = findWaves(
    calls.map(({ id }) => id),
    links,
  );
  const nodes = calls.map(
    (call): GraphNode => ({
      id: call.id,
      call,
      runId: "run",
      iteration: 1,
      keys: [call.id, call.id],
      box: boxOf(call),
      wave: waves.findIndex((wave) => wave.includes(call.id)),
      frame: null,
      open: false,
      chain: null,
      heads: null,
      brought: [],
    }),
  );
  return { recorded, nodes, links, size: nodes.length, whole: null };
}

/** A plan in layers, each call reading from up to two calls of the previous layer. */
export function layeredPlan(size: number, width: number): JsonObject[] {
  return Array.from({ length: size }, (_, index) => ({
    _tool: `tool.${index % 5}`,
    _id: `c${index}`,
    amount: index,
    ...(index < width ? {} : { one: `†state.v${index - width}.id`, two: `†state.v${index - 1 - (index % width)}` }),
    _outputPath: `†state.v${index}`,
  }));
}
