import type { Events } from "../../db/repositories.ts";
import { wholeValue } from "../dialog/whole-state.ts";
import { type ToolDefinition, toolDefinition } from "../engine/tools/tool-definition.ts";
import { printContext, readContext } from "../plan/context.ts";
import type { DataMessage } from "../plan/message.ts";
import type { Payload } from "../session/catalogue.ts";
import { newestTopLevelRun } from "../session/choose-plan.ts";
import { isKnown } from "../session/event.ts";
import { isJsonObject, type JsonObject } from "../session/json.ts";
import type { Run, Session } from "../session/session.ts";
import type { States } from "./edits.ts";

/** What a run that goes on from a step of a session has to know. */
export interface StartPoint {
  /** The newest top-level run, whose state it takes over; null before any. */
  run: Run | null;
  /** Its state by instance, large values as well. */
  states: States;
  /** How it began; null where the log does not tell. */
  started: Payload<"run.started"> | null;
}

/** Reads what a run that goes on from here has to know. */
export async function readStartPoint(
  session: Session,
  conversationId: string,
  events: Pick<Events, "list">,
): Promise<StartPoint> {
  const run = newestTopLevelRun(session);
  if (!run) return { run: null, states: {}, started: null };
  const states = Object.entries(run.state).map(
    async ([instance, state]) => [instance, await wholeValue(state, conversationId, events)] as const,
  );
  const [first] = await events.list(conversationId, { after: run.started_seq - 1, limit: 1 });
  const started = first && isKnown(first) && first.type === "run.started" ? first.payload : null;
  return { run, states: Object.fromEntries(await Promise.all(states)), started };
}

/** The messages that it begins with: those of the run before, but for the state, which is as it is now. */
export function contextOf({ started }: StartPoint, states: States): JsonObject[] {
  const told = readContext(messagesOf(started));
  const { data, text } = told.ok ? told.context : { data: [], text: [] };
  const others = data.filter(({ kind }) => kind !== "state");
  const before = new Map(data.filter(({ kind }) => kind === "state").map((message) => [message.instance, message]));
  const instances = new Set([...before.keys(), ...Object.keys(states)]);
  const state = [...instances].map((instance): DataMessage => {
    const { data: _before, ...blueprint } = before.get(instance) ?? { kind: "state", instance };
    const now = Object.hasOwn(states, instance) ? states[instance] : undefined;
    return now === undefined ? blueprint : { ...blueprint, data: now };
  });
  return printContext({ data: [...others, ...state], text });
}

/** The tools that came with the run before. */
export function toolsOf({ started }: StartPoint): ToolDefinition[] {
  // An agent from outside may tell tools in a form of its own: those are none that could be run here.
  return (started?.tools ?? []).flatMap((tool) => toolDefinition.safeParse(tool).data ?? []);
}

function messagesOf(started: StartPoint["started"]): JsonObject[] {
  return Array.isArray(started?.context) ? started.context.filter(isJsonObject) : [];
}
