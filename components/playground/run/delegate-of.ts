import { printContext } from "@/lib/plan/context.ts";
import { printReference } from "@/lib/plan/reference.ts";
import type { Json, JsonObject } from "@/lib/session/json/json.ts";
import { contextOf } from "../editor/known-paths.ts";
import type { ReadCalls } from "../read-calls.ts";
import type { PlanRequest } from "../use-check.ts";

/** The settings of a delegate besides its plan and messages. */
export interface DelegateSettings {
  name: string;
  description: string;
  strict: boolean;
  writes: string[];
}

/** The body of `POST /api/delegates`. */
export interface DelegateBody extends DelegateSettings {
  plan: JsonObject[];
  context: JsonObject[];
  input_schema?: Json;
}

/**
 * A plan as a delegate. The caller provides the input, so only its schema is saved; other messages are saved as they
 * are.
 */
export function delegateOf({ plan, context }: PlanRequest, settings: DelegateSettings): DelegateBody {
  const read = contextOf(context);
  const input = read?.data.find(({ kind, instance }) => kind === "input" && instance === "");
  const own = read ? printContext({ ...read, data: read.data.filter((message) => message !== input) }) : context;
  const schema = input?.schema ?? null;
  return { ...settings, plan, context: own, ...(schema === null ? {} : { input_schema: schema }) };
}

/** The state paths that a plan's calls write. */
export function writtenPaths({ calls }: ReadCalls): string[] {
  return [...new Set(calls.flatMap(({ outputPath }) => outputPath?.flat().map(printReference) ?? []))].sort();
}
