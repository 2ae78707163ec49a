import { z } from "zod";
import type { DelegateShape } from "../../plan/tool.ts";
import { call, identifier } from "../../session/events/catalogue.ts";
import { jsonObject, jsonValue } from "../../session/json/json-schema.ts";
import { listOf } from "../../session/json/list.ts";

/** A saved request: a file of `agents/delegates/`, or registered by `POST /api/delegates` (P27). */
export const delegateDefinition = z.strictObject({
  name: identifier.refine(
    (name) => name !== "anonymous",
    "anonymous is reserved for an empty context; choose another name",
  ),
  description: z.string().max(10_000).default(""),
  /** Its own messages, which come before what the parent passes on. */
  context: listOf(jsonObject).default([]),
  /** The plan it runs; without one a model makes it. */
  plan: listOf(call).optional(),
  /** Names of the tools it may use; without it, all there are. */
  tools: listOf(identifier).optional(),
  input_schema: jsonObject.optional(),
  output_schema: jsonValue.optional(),
  /** What it gives, references resolved after its plan; for a delegate with a plan. Without it: its state. */
  output: jsonValue.optional(),
  strict: z.boolean().default(false),
  /** Paths of the parent's state that it writes back from its own when it succeeds: `†state.x`. */
  writes: listOf(z.string().max(2_000)).default([]),
  max_iterations: z.int().min(1).max(100).optional(),
  /** How often it may be entered again from within itself; without it, never. */
  max_depth: z.int().min(1).max(8).optional(),
});
export type DelegateDefinition = z.infer<typeof delegateDefinition>;

/** The delegates of this server by name. */
export interface DelegateRegistry {
  list(): DelegateDefinition[];
  find(name: string): DelegateDefinition | undefined;
  /** Keeps a delegate. Throws `InvalidInput` when it does not hold. */
  register(definition: DelegateDefinition, actor: string | null): Promise<DelegateDefinition>;
}

/** A delegate as a plan is read against it. */
export function shapeOf(definition: DelegateDefinition): DelegateShape {
  return {
    name: definition.name,
    plan: definition.plan ?? null,
    tools: definition.tools ?? null,
    input_schema: definition.input_schema ?? null,
    output_schema: definition.output_schema ?? null,
    strict: definition.strict,
    max_depth: definition.max_depth ?? null,
    writes: definition.writes,
  };
}
