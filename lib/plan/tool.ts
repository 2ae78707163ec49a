import type { Json, JsonObject } from "../session/json/json.ts";

/** A tool: what an agent may do (P1). Where its activity lives is the engine's business. */
export interface Tool {
  name: string;
  description: string;
  /**
   * A JSON Schema of an object. `properties` without `_` are the parameters, `_output` is the schema of the result, and
   * any other meta-property there prescribes or limits what a call says (P2).
   */
  schema: JsonObject;
  /** An activity carries it out; without one it is latent: the model itself produces the output. */
  has_activity: boolean;
  /** Each execution requires approval. */
  requires_confirmation: boolean;
  /** How many different people have to approve each execution; one if it is missing. */
  approvals?: number | undefined;
}

/** A saved request, run as a tool in a clean room (P27). */
export interface DelegateShape {
  name: string;
  /** The plan it runs; null when a model makes the plan. */
  plan: JsonObject[] | null;
  /** Names of the tools that it may use; null for all there are. */
  tools: string[] | null;
  /** The schema of its parameters; null when anything goes. */
  input_schema: JsonObject | null;
  /** The schema of its output; null when anything goes. */
  output_schema: Json | null;
  /** Its schemas are merged into the tool's, and checked before anything runs. */
  strict: boolean;
  /** How often it may be entered again from within itself; null: never (P27). */
  max_depth: number | null;
  /** Output paths of the parent's state that it writes back when it succeeds; only when scoped to `state` (P27). */
  writes: string[];
}

/** What a plan is read against: the tools and delegates by name. */
export interface Toolbox {
  tool(name: string): Tool | undefined;
  delegate(name: string): DelegateShape | undefined;
  /**
   * What the activity takes that carries a call out: the one that the call names, else its tool's. Undefined where that is
   * no more than the tool's own schema says; missing where nothing is carried out.
   */
  takenBy?(tool: string, activity: string | null): JsonObject | undefined;
}
