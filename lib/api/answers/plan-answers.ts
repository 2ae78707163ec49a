import { z } from "zod";
import type { Validation } from "../../engine/engine.ts";
import { type PlanProblem, PROBLEM_CODES } from "../../plan/problem.ts";
import type { Simulation } from "../../plan/schedule/simulation.ts";
import { jsonValue } from "../../session/json/json-schema.ts";

// Schemas of responses about plans, for the documentation. `satisfies` checks them against the types of the code.

const localizedText = z.object({
  message: z.string(),
  message_id: z.string().optional().describe("The message's key in `messages/<language>/problems.json`."),
  get values() {
    return z
      .array(z.union([z.string(), z.number(), localizedText]))
      .optional()
      .describe("The values of the message, in order.");
  },
});

export const planProblem = localizedText.extend({
  code: z.enum(PROBLEM_CODES),
  severity: z.enum(["error", "warning"]),
  call: z.string().nullable().describe("The call's id; null for the plan as a whole."),
  path: z.string().describe("Where in the call, as a JSON Pointer."),
}) satisfies z.ZodType<PlanProblem>;

export const edge = z.object({
  from: z.string(),
  to: z.string(),
  paths: z.array(z.string()),
  kind: z.enum(["branch", "fallback", "gate", "fanout", "data"]),
});

/** The result of validation; `ok` if no problem is an error (P16). */
export const validation = z.object({
  ok: z.boolean(),
  problems: z.array(planProblem),
  graph: z.object({ nodes: z.array(z.object({ id: z.string(), tool: z.string() })), edges: z.array(edge) }),
}) satisfies z.ZodType<Validation>;

/** The result of a simulation (P18). */
export const simulation = z.object({
  waves: z.array(z.array(z.string())).describe("Calls that can run concurrently."),
  critical_path: z.array(z.string()).describe("The longest chain of dependent calls."),
  calls: z.record(
    z.string(),
    z.object({
      status: z.enum(["succeeded", "failed", "skipped", "blocked", "superseded"]),
      reason: z.string().optional(),
    }),
  ),
  steps: z.array(
    z.object({
      call: z.string(),
      writes: z.array(z.object({ path: z.string(), value: jsonValue })),
      state: jsonValue.describe("The whole state after this step."),
    }),
  ),
}) satisfies z.ZodType<Simulation>;

/** A started run. */
export const startedRun = z.object({ conversation_id: z.string(), run_id: z.string() });
