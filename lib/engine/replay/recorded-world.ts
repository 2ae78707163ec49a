import type { SessionEvent } from "../../session/event.ts";
import type { StepEnv } from "../step/env.ts";
import { isRunEvent } from "../step/state/run-event.ts";
import type { Handler, RegisteredTool } from "../tools/tools.ts";
import type { RecordedEvent } from "./replaying.ts";

/** What a replay reads, and the tools in it that are only known from the record. */
export interface RecordedWorld {
  env: StepEnv;
  unknown: readonly string[];
}

/**
 * What a recorded run's engine had: the models that it names, and the tools of today. A tool that is not there today (of an MCP
 * server, or not registered any more) is as the record shows it: whether it was carried out, and whether approval was asked.
 */
export function recordedWorld(
  events: readonly SessionEvent[],
  today: Omit<StepEnv, "planner" | "talker">,
): RecordedWorld {
  const known = events.filter((event): event is SessionEvent & RecordedEvent => isRunEvent(event));
  const model = modelIn(known);
  const unknown = toolsIn(known).filter((name) => today.tools.find(name) === undefined);
  const made = new Map(unknown.map((name) => [name, recordedTool(name, known)]));
  const { tools } = today;
  return {
    unknown,
    env: {
      ...today,
      tools: {
        ...tools,
        list: () => [...tools.list(), ...made.values()],
        find: (name) => tools.find(name) ?? made.get(name),
        activity: (name) => tools.activity(name) ?? made.get(name)?.handler ?? undefined,
      },
      planner: model,
      talker: model,
    },
  };
}

/** The model that the record names; null where one was missing. */
function modelIn(events: readonly RecordedEvent[]): StepEnv["planner"] {
  for (const { type, payload } of events)
    if (type === "model.requested" || type === "model.failed")
      return { model: payload.model, provider: payload.provider };
  const lacked = events.some(
    ({ type, payload }) => /failed$/.test(type) && JSON.stringify(payload).includes('"no_model"'),
  );
  return lacked ? null : { model: "", provider: "" };
}

/** The tools of the plans, but for those that were refused as unknown. */
function toolsIn(events: readonly RecordedEvent[]): string[] {
  const named = events.flatMap(({ type, payload }) =>
    type === "plan.proposed" ? payload.calls.map(({ _tool }) => _tool) : [],
  );
  const own = events.flatMap(({ type, payload }) => (type === "run.started" ? namesOf(payload.tools) : []));
  const refused = events.flatMap(({ type, payload }) =>
    type === "plan.rejected" && JSON.stringify(payload.problems).includes('"unknown_tool"')
      ? (payload.problems ?? [])
      : [],
  );
  const lost = new Set([...own, ...refused.flatMap((problem) => valuesOf(problem))]);
  return [...new Set(named)].filter((name) => !lost.has(name));
}

function namesOf(tools: unknown): string[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown) =>
    typeof tool === "object" && tool !== null && "name" in tool && typeof tool.name === "string" ? [tool.name] : [],
  );
}

function valuesOf(problem: unknown): string[] {
  if (typeof problem !== "object" || problem === null || !("values" in problem)) return [];
  const { values } = problem;
  return Array.isArray(values) ? values.filter((value: unknown) => typeof value === "string") : [];
}

/** What becomes of its calls is in the record. */
const HANDLER: Handler = {
  activity: () => Promise.reject(new Error("A replay calls no tool")),
  idempotent: true,
  timeout_ms: 60_000,
  retries: Number.POSITIVE_INFINITY,
};

function recordedTool(name: string, events: readonly RecordedEvent[]): RegisteredTool {
  const asked = events.find(
    ({ type, payload }) =>
      type === "confirmation.requested" && payload.action.method === name && payload.cause === "risk",
  );
  const isLatent = events.some(
    ({ type, payload }) =>
      type === "prompt.rendered" && payload.call_id !== undefined && isCallOf(events, payload.call_id, name),
  );
  return {
    name,
    description: descriptionIn(name, asked),
    schema: {},
    has_activity: !isLatent,
    requires_confirmation: asked !== undefined,
    effect: "change",
    guard: null,
    handler: isLatent ? null : HANDLER,
  };
}

function isCallOf(events: readonly RecordedEvent[], callId: string, tool: string): boolean {
  return events.some(
    ({ type, payload }) => type === "call.started" && payload.call_id === callId && payload.tool === tool,
  );
}

function descriptionIn(name: string, asked: RecordedEvent | undefined): string {
  if (asked?.type !== "confirmation.requested") return "";
  const start = `Run ${name}: `;
  const { description = "" } = asked.payload;
  return description.startsWith(start) ? description.slice(start.length) : "";
}
