import type { Effect } from "../../memory/actions/happening.ts";
import type { Tool } from "../../plan/tool.ts";
import type { JsonObject } from "../../session/json/json.ts";
import type { Locale } from "../../session/locale.ts";
import type { Activity } from "./activity.ts";
import type { HttpActivity, ToolDefinition } from "./tool-definition.ts";

/** How a tool is carried out: its activity, and how patient the engine is with it (P24). */
export interface Handler {
  activity: Activity;
  /** Doing it twice is the same as doing it once (P23). */
  idempotent: boolean;
  /** Longest time for one try, in ms. */
  timeout_ms: number;
  /** Tries after the first one. */
  retries: number;
  /** What it takes, whatever schema is laid over its tool's; missing where it is not checked by one of its own. */
  schema?: JsonObject;
}

/** What a tool knows of the risk of one of its calls (M9, M13). */
export interface Guard {
  /** Why a person has to agree to a call with these parameters; null when nobody has to. */
  risk(params: JsonObject): string | null;
  /** The action as a person decides on it and the memory keeps it. */
  actionOf(params: JsonObject): { method: string; params: JsonObject };
  /** What a person knows the confirmation by; null for the tool and the call. */
  keyOf(params: JsonObject): string | null;
  /** What the call does, in words for a person. */
  describe(params: JsonObject, locale: Locale): string;
  /** The values that it would replace, as they are now; null when it replaces none. */
  before(params: JsonObject, signal: AbortSignal): Promise<JsonObject | null>;
}

/**
 * What a call of a tool does to its run when it has succeeded. `hand_over`: its agent's part of a directed turn ends with
 * the iteration, and the director goes on (D5). `escalate`: a manager is called and the turn ends at once (D9).
 */
export type Control = "hand_over" | "escalate";

/** A tool with the way to carry it out; `handler` null is a latent tool. */
export interface RegisteredTool extends Tool {
  handler: Handler | null;
  effect: Effect;
  /** Only tools that come with the server have one. */
  control?: Control;
  /** Null where the risk lies in the tool alone (`requires_confirmation`). */
  guard: Guard | null;
}

/** A tool that comes with the server. */
export interface BuiltInTool extends Omit<RegisteredTool, "has_activity" | "handler"> {
  handler: Handler;
}

/** The tools of this server, and the activities that a call can name by `_activity` (P1). */
export interface ToolRegistry {
  /** Every tool by name. A run's own tools are laid over them, the later one wins, but never with a lower risk (P2a). */
  list(): RegisteredTool[];
  find(name: string): RegisteredTool | undefined;
  /** The handler of an activity by its own name. */
  activity(name: string): Handler | undefined;
  /** Makes a runnable tool of a definition. Throws `InvalidInput` when its schema is none or its host is not allowed. */
  make(definition: ToolDefinition): RegisteredTool;
  /** Keeps a tool for all later runs. Throws `InvalidInput`. */
  register(definition: ToolDefinition, actor: string | null): Promise<RegisteredTool>;
  /** The definition as it may stand in events: the values of its headers are sealed. `make` takes it as well. */
  sealed(definition: ToolDefinition): ToolDefinition;
}

/** A tool as the API tells it. */
export interface ListedTool extends RegisteredTool {
  source: "built-in" | "mcp" | "api";
  /** Its HTTP activity, secrets sealed; null when it has none. */
  http: HttpActivity | null;
}

/** The registry as the API uses it. */
export interface ServerTools extends ToolRegistry {
  /** Takes over a tool that another replica has registered. */
  accept(definition: ToolDefinition): void;
  list(): ListedTool[];
  find(name: string): ListedTool | undefined;
  register(definition: ToolDefinition, actor: string | null): Promise<ListedTool>;
}
