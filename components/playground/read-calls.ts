import { callIds, callReader, type PlanCall, readCallsInParts, withId } from "@/lib/plan/call.ts";
import { uniqueCalls } from "@/lib/plan/graph.ts";
import { effectiveCall } from "@/lib/plan/schema/tool-schema.ts";
import { knownCall } from "@/lib/plan/validate/validate-calls.ts";
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

/** Parses a plan with the known tools and delegates; its problems come from the server. */
export type CallsReader = (plan: readonly JsonObject[], known: KnownTools) => ReadCalls;

/** Creates a parser that reads a call again only if it is another object, or the tools are others. */
export function createCallsReader(): CallsReader {
  let tools: KnownTools | null = null;
  let read = callReader();
  let prescribed = new WeakMap<JsonObject, JsonObject>();
  return (plan, known) => {
    if (known !== tools) {
      tools = known;
      read = callReader();
      prescribed = new WeakMap();
    }
    const toolbox = {
      tool: (name: string) => known.tools.get(name),
      delegate: (name: string) => known.delegates.get(name),
    };
    const effective = plan.map((call) => {
      const before = prescribed.get(call);
      if (before) return before;
      const made = effectiveCall(call, typeof call._tool === "string" ? known.tools.get(call._tool) : undefined);
      prescribed.set(call, made);
      return made;
    });
    const ids = callIds(effective);
    const unique = uniqueCalls([...readCallsInParts(effective, [], read)]);
    const calls = unique.map((call) => knownCall(call, toolbox));
    return {
      calls: calls.map(({ call }) => call),
      ids,
      plan: effective.map((call, index) => withId(call, ids[index] ?? "")),
      outputs: calls.flatMap(({ output }) => output ?? []),
    };
  };
}
