import type { PlanCall } from "@/lib/plan/call.ts";
import type { SchemaChecker } from "@/lib/plan/schema/schema-checker.ts";
import { readPlan } from "@/lib/plan/validate/validate-calls.ts";
import type { JsonObject } from "@/lib/session/json/json.ts";
import type { KnownOutput } from "@/lib/session/session.ts";
import type { KnownTools } from "./editor/toolbox.ts";

/** A plan's calls, parsed in the browser without schema validation. */
export interface ReadCalls {
  /** Each id once. */
  calls: readonly PlanCall[];
  /** By index in the plan. */
  ids: readonly string[];
  /** The calls with what their tools prescribe (P2) and with ids. */
  plan: JsonObject[];
  /** Writes that tools and delegates declare. */
  outputs: KnownOutput[];
}

const UNCHECKED: SchemaChecker = { faults: () => [], refusal: () => null, bounded: () => UNCHECKED };

/** Parses a plan with the known tools and delegates; its problems come from the server. */
export function readCalls(plan: readonly JsonObject[], { tools, delegates }: KnownTools): ReadCalls {
  const toolbox = { tool: (name: string) => tools.get(name), delegate: (name: string) => delegates.get(name) };
  const read = readPlan(plan, toolbox, UNCHECKED);
  return {
    calls: read.calls.map(({ call }) => call),
    ids: read.plan.map(({ _id }) => String(_id)),
    plan: read.plan,
    outputs: read.outputs,
  };
}
